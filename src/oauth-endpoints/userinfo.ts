import { enqueueGrantUse } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { callerOf } from "@/kernel/http/caller";
import { isAudience } from "@/oauth/tokens/resource";
import { findBearer } from "@/oauth/tokens/service";
import { bearerChallenge, presentedBearer } from "./bearer";
import { bindingError } from "./dpop";
import { OAuthError } from "./errors";
import { hasForm, readForm } from "./form";
import { claimsOf, groupsClaim } from "./user-claims";

/**
 * `GET` and `POST /oauth/userinfo` (OpenID Connect Core §5.3): returns the claims about the user that the
 * scopes of the access token grant.
 * @throws OAuthError 401 without a valid access token, 403 without the scope `openid`, both with a challenge
 * (RFC 6750 §3).
 */
export async function userinfo(deps: Deps, request: Request): Promise<object> {
  const form = request.method === "POST" && hasForm(request) ? await readForm(request) : null;
  const token = presentedBearer(request, form);
  if (token === null)
    throw new OAuthError("invalid_token", "Send an access token.", "token_missing", {
      challenge: bearerChallenge(),
    });
  const bearer = await findBearer(deps, token, request);
  const binding = bearer && bindingError(bearer.state);
  if (binding !== null) throw binding;
  if (bearer?.state !== "live") throw refusal("invalid_token", INVALID, bearer?.state ?? "token_unknown");
  if (!isAudience(bearer.row.resource, deps.config.issuer, new URL(request.url).pathname))
    throw refusal("invalid_token", LIMITED, "token_resource");
  enqueueGrantUse(deps, bearer.row, () => callerOf(request));
  const scopes = bearer.row.scopes.split(" ");
  if (!scopes.includes("openid")) throw refusal("insufficient_scope", NO_OPENID, "scope_openid_missing");
  const groups = await groupsClaim(deps, bearer.user);
  return { sub: String(bearer.user.id), ...claimsOf(deps, bearer.user, scopes), ...groups };
}

const INVALID = "The access token is unknown, expired or revoked.";
const LIMITED = "The access token is limited to another protected resource.";
const NO_OPENID = "The access token does not have the scope openid.";

const refusal = (
  code: "invalid_token" | "insufficient_scope",
  description: string,
  reason: string,
): OAuthError =>
  new OAuthError(code, description, reason, { challenge: bearerChallenge({ code, description }) });
