import { REFERENCE_PATH, TOKEN_INFO_ANCHOR } from "@/http-api/reference";
import { RELEASES } from "@/http-api/versions";
import { enqueueGrantUse } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { callerOf } from "@/kernel/http/caller";
import { unixSeconds } from "@/kernel/http/unix-time";
import { findBearer } from "@/oauth/tokens/service";
import { bearerChallenge, presentedBearer } from "./bearer";
import { bindingError } from "./dpop";
import { OAuthError } from "./errors";

/**
 * `GET /oauth/token/info`: describes the presented access token, with one prepared statement. The endpoint
 * accepts a token with any scope and for any protected resource (decision 89).
 * @throws OAuthError `invalid_token` with 401 when the token is missing or not valid.
 */
export async function tokenInfo(deps: Deps, request: Request): Promise<object> {
  const token = presentedBearer(request);
  if (token === null) throw invalidToken("none", bearerChallenge());
  const bearer = await findBearer(deps, token, request);
  const binding = bearer && bindingError(bearer.state);
  if (binding !== null) throw binding;
  if (bearer === null || bearer.state !== "live")
    throw invalidToken(
      bearer?.state ?? "unknown",
      bearerChallenge({ code: "invalid_token", description: INVALID }),
    );
  const { row, user } = bearer;
  enqueueGrantUse(deps, row, () => callerOf(request));
  const scope = row.scopes.split(" ");
  const expiresIn = row.expiresAt && Math.floor((row.expiresAt.getTime() - deps.clock().getTime()) / 1000);
  return {
    resource_owner_id: user.id,
    scope,
    expires_in: expiresIn,
    application: { uid: row.applicationUid },
    created_at: unixSeconds(row.createdAt),
    // The deprecated names of `scope` and `expires_in`.
    scopes: scope,
    expires_in_seconds: expiresIn,
  };
}

/** The day on which the release 0.1.0 deprecated the members, in Unix seconds (RFC 9745 §2). */
const DEPRECATED_SINCE = Date.parse(`${RELEASES["0.1.0"].date}T00:00:00Z`) / 1000;

/**
 * Returns the headers about the deprecated members `scopes` and `expires_in_seconds`, which each successful
 * response contains.
 */
export const tokenInfoDeprecation = ({ config }: Pick<Deps, "config">): Readonly<Record<string, string>> => ({
  deprecation: `@${DEPRECATED_SINCE}`,
  link: `<${config.issuer}${REFERENCE_PATH}#${TOKEN_INFO_ANCHOR}>; rel="deprecation"; type="text/html"`,
});

const INVALID = "The access token is invalid";

/**
 * Returns the error that clients of the GitLab API expect. The text is the same for all reasons of a refusal,
 * and the response contains the member `state`.
 */
const invalidToken = (reason: string, challenge: string): OAuthError =>
  new OAuthError("invalid_token", INVALID, `token_info_${reason}`, {
    challenge,
    members: { state: "unauthorized" },
  });
