import { decode, encode, type JWT } from "next-auth/jwt";
import type { Config } from "@/kernel/config/config";
import type { SecretKeys } from "@/kernel/crypto/keys";
import { cookieValue } from "@/kernel/http/cookie";

/**
 * Returns an encrypted session cookie in next-auth's format, so that the endpoints of next-auth can read the
 * cookie. The session cookie contains only the opaque session id.
 */
export const sealSession = (keys: SecretKeys, sessionId: string, maxAgeSeconds: number): Promise<string> =>
  encode({ token: { sid: sessionId }, secret: keys.session, maxAge: maxAgeSeconds });

/** Returns the session id in a `Cookie` header; null when the cookie is absent or forged. */
export async function openSession(
  config: Config,
  keys: SecretKeys,
  header: string | null,
): Promise<string | null> {
  const sealed = cookieValue(config, header, "session");
  if (sealed === null) return null;
  const token = await decodeSession(keys, sealed);
  return typeof token?.["sid"] === "string" ? token["sid"] : null;
}

/**
 * Returns the content of an encrypted session cookie; null for a forged cookie. Cookies that were encrypted
 * before a rotation of the instance secret stay valid, because they contain only the random session id.
 */
export async function decodeSession(keys: SecretKeys, sealed: string): Promise<JWT | null> {
  const previous = keys.previous.map(({ session }) => session);
  for (const secret of [keys.session, ...previous, ...keys.previousSessions]) {
    const token = await decode({ token: sealed, secret }).catch(() => null);
    if (token !== null) return token;
  }
  return null;
}
