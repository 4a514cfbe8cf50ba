import type { Config } from "../config/config.ts";

/**
 * All cookies that Gatehouse sets. Cookies ignore ports, so a name that a library chose could collide with a
 * cookie of another site on the same host. The library next-auth reads every cookie whose name begins with
 * the name of the session cookie, so no other name may begin with `session`.
 */
type CookieName =
  | "session"
  | "pending_sign_in"
  | "sign_up"
  | "login"
  | "password_reset"
  | "email_confirmation"
  | "keep_account"
  | "invitation"
  | "device"
  | "provider_browser"
  | "provider_link"
  | "flash"
  | "theme"
  | "csrf"
  | "callback_url"
  | "pkce_code_verifier"
  | "state"
  | "nonce";

/** Returns whether cookies are sent only over TLS. */
export const isSecure = (config: Config): boolean => config.baseUrl.protocol === "https:";

/**
 * Returns the name of a cookie in the browser. Under https, the name of a cookie has the prefix `__Host-`.
 * Browsers accept a cookie with the prefix `__Host-` only from the host itself, over TLS and for the path
 * `/`. Neither a sibling host nor a connection without TLS can therefore set the cookie (RFC 6265bis
 * §4.1.3.2).
 */
export const cookieName = (config: Config, name: CookieName): string =>
  `${isSecure(config) ? "__Host-" : ""}gatehouse_${name}`;

/** Returns the value of a cookie in a `Cookie` header (RFC 6265 §5.4), or null. */
export function cookieValue(config: Config, header: string | null, name: CookieName): string | null {
  const wanted = cookieName(config, name);
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim();
  }
  return null;
}

/**
 * The attributes of every cookie. Scripts cannot read the cookies. Browsers send the cookies with a
 * cross-site request only if the request is a top-level navigation. The cookies are valid for all paths.
 */
export const cookieAttributes = (config: Config) =>
  ({ path: "/", httpOnly: true, sameSite: "lax", secure: isSecure(config) }) as const;

/** Returns a `Set-Cookie` line with the attributes of `cookieAttributes`. */
export function setCookie(config: Config, name: CookieName, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(config) ? "; Secure" : "";
  return `${cookieName(config, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The lifetime of a flash message that no page shows. The page that shows the flash message deletes the cookie. */
export const FLASH_SECONDS = 30;

/**
 * The request header in which the proxy passes a percent-encoded flash message to the page that shows the
 * message.
 */
export const FLASH_HEADER = "x-gatehouse-flash";

/**
 * Returns the `Set-Cookie` line of a flash message, which the next page shows once. The flash message must
 * not contain a secret.
 */
export const flashCookie = (config: Config, text: string): string =>
  setCookie(config, "flash", encodeURIComponent(text), FLASH_SECONDS);
