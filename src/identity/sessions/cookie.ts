import { decode, encode } from "next-auth/jwt";
import type { Config } from "@/kernel/config/config";
import type { SecretKeys } from "@/kernel/crypto/keys";
import { cookieValue } from "@/kernel/http/cookie";

/** A sealed cookie in next-auth's format, so that its endpoints read it: the opaque session id and nothing else. */
export const sealSession = (keys: SecretKeys, sessionId: string, maxAgeSeconds: number): Promise<string> =>
  encode({ token: { sid: sessionId }, secret: keys.session, maxAge: maxAgeSeconds });

/** The session id in a `Cookie` header; null when there is none or the cookie is not ours. */
export async function openSession(
  config: Config,
  keys: SecretKeys,
  header: string | null,
): Promise<string | null> {
  const sealed = cookieValue(config, header, "session");
  if (sealed === null) return null;
  const token = await decode({ token: sealed, secret: keys.session }).catch(() => null);
  return typeof token?.["sid"] === "string" ? token["sid"] : null;
}
