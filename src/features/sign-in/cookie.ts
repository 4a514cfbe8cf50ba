import { decode, encode } from "next-auth/jwt";
import type { Config } from "@/platform/config";
import type { SecretKeys } from "@/platform/crypto/keys";

/** The session cookie is next-auth's own, so that its endpoints read what our sign-in writes. */
export const sessionCookieName = (config: Config): string =>
  isSecure(config) ? "__Secure-next-auth.session-token" : "next-auth.session-token";

const isSecure = (config: Config): boolean => config.baseUrl.protocol === "https:";

/** A sealed cookie that carries the opaque session id and nothing else. */
export const sealSession = (keys: SecretKeys, sessionId: string, maxAgeSeconds: number): Promise<string> =>
  encode({ token: { sid: sessionId }, secret: keys.session, maxAge: maxAgeSeconds });

/** The session id in a `Cookie` header; null when there is none or the cookie is not ours. */
export async function openSession(
  config: Config,
  keys: SecretKeys,
  header: string | null,
): Promise<string | null> {
  const sealed = cookieValue(header, sessionCookieName(config));
  if (sealed === null) return null;
  const token = await decode({ token: sealed, secret: keys.session }).catch(() => null);
  return typeof token?.["sid"] === "string" ? token["sid"] : null;
}

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
