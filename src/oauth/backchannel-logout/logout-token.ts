import type { Deps } from "@/kernel/deps/deps";
import { unixSeconds } from "@/kernel/http/unix-time";
import type { Application } from "../applications/rules";
import { signJwt } from "../signing-keys/service";

/**
 * The member of the claim `events` that identifies a logout token (OpenID Connect Back-Channel Logout §2.4).
 */
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** The lifetime of a logout token. The specification recommends a lifetime of at most two minutes. */
const EXPIRES_IN_SECONDS = 120;

const JTI_BYTES = 16;

/**
 * Returns a new logout token for a session that has ended (OpenID Connect Back-Channel Logout §2.4). Each
 * attempt to notify the application sends a new logout token. If the response of an earlier attempt was lost,
 * the application has already stored the `jti` of the earlier token and may refuse the earlier token.
 */
export function logoutToken(
  deps: Deps,
  { uid, tokens }: Pick<Application, "uid" | "tokens">,
  { userId, sid }: Readonly<{ userId: number; sid: string }>,
): Promise<string> {
  const now = unixSeconds(deps.clock());
  const claims = {
    iss: deps.config.issuer,
    sub: String(userId),
    aud: uid,
    iat: now,
    exp: now + EXPIRES_IN_SECONDS,
    jti: Buffer.from(deps.randomBytes(JTI_BYTES)).toString("base64url"),
    sid,
    events: { [EVENT]: {} },
  };
  return signJwt(deps, claims, tokens.idTokenAlgorithm, "logout+jwt");
}
