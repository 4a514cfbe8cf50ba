import type { Config } from "../config.ts";

/** Whether cookies travel over TLS only. */
export const isSecure = (config: Config): boolean => config.baseUrl.protocol === "https:";

/** One cookie of a `Cookie` header (RFC 6265 §5.4), or null. */
export function cookieValue(header: string | null, name: string): string | null {
  for (const pair of header?.split(";") ?? []) {
    const at = pair.indexOf("=");
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

/** A `Set-Cookie` line: not readable by scripts, sent on top-level navigation only (SameSite=Lax). */
export function setCookie(
  config: Config,
  name: string,
  value: string,
  path: string,
  maxAgeSeconds: number,
): string {
  const secure = isSecure(config) ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
