import type { Principal, User } from "@/access/principal";
import { allows, type Scope } from "@/access/scopes";
import {
  blocked,
  deactivated,
  insufficientScope,
  invalidToken,
  personalTokenNeeded,
  unauthorized,
} from "@/http-api/errors";
import { enqueueGrantUse } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { callerOf } from "@/kernel/http/caller";
import { usesDpopScheme } from "@/oauth/dpop/token-binding";
import { findPersonalToken, isPersonalToken } from "@/oauth/personal-access-tokens/service";
import { isAudience } from "@/oauth/tokens/resource";
import { type BearerState, findBearer } from "@/oauth/tokens/service";
import { bindingRefusal } from "./binding-refusal";

/**
 * Returns the principal of a request with an OAuth token or a personal access token. Session cookies are not
 * accepted.
 * @param token the token in the API request; null when the API request has no token.
 * @param scopes the scopes of the endpoint. The token must have at least one of the scopes of the endpoint.
 * @param kinds `personal` for an endpoint that accepts only personal access tokens.
 * @throws ApiError 401, 403 or 400. The function checks whether the request has a token, and then the kind,
 * the state and the scopes of the token.
 */
export async function authenticate(
  deps: Deps,
  request: Request,
  token: string | null,
  scopes: readonly Scope[],
  kinds?: "personal",
): Promise<Principal> {
  if (token === null) throw unauthorized();
  if (isPersonalToken(token) && usesDpopScheme(request)) throw bindingRefusal(deps, "proof_missing");
  if (kinds === "personal" && !isPersonalToken(token)) throw personalTokenNeeded();
  const authentication = isPersonalToken(token)
    ? await byPersonalToken(deps, token)
    : await byBearer(deps, request, token);
  if (authentication === null) throw unauthorized();
  const { state, principal } = authentication;
  if (state === "proof_missing" || state === "proof_invalid" || state === "nonce_missing")
    throw bindingRefusal(deps, state);
  if (state === "expired" || state === "revoked") throw invalidToken(state);
  // The token of a refused application is reported as revoked.
  if (state === "application_blocked" || state === "client_not_admitted") throw invalidToken("revoked");
  if (state === "user_blocked")
    throw principal.user.state === "deactivated" ? deactivated(deps.config.issuer) : blocked();
  if (!scopes.some((scope) => allows(principal.scopes, scope))) throw insufficientScope(scopes);
  return principal;
}

type AuthenticatedToken = Readonly<{ state: BearerState; principal: Principal }>;

async function byBearer(
  deps: Deps,
  request: Request,
  accessToken: string,
): Promise<AuthenticatedToken | null> {
  const details = await findBearer(deps, accessToken, request);
  if (
    details !== null &&
    !isAudience(details.row.resource, deps.config.issuer, new URL(request.url).pathname)
  )
    return null;
  if (details?.state === "live") enqueueGrantUse(deps, details.row, () => callerOf(request));
  return (
    details &&
    authenticated(details, {
      kind: "oauth",
      id: details.row.tokenId,
      applicationId: details.row.applicationId,
    })
  );
}

async function byPersonalToken(deps: Deps, token: string): Promise<AuthenticatedToken | null> {
  const details = await findPersonalToken(deps, token);
  return (
    details &&
    authenticated(details, {
      kind: "personal",
      id: details.row.tokenId,
      applicationId: null,
      impersonatorId: details.row.impersonatorId,
    })
  );
}

const authenticated = (
  { user, state, row }: Readonly<{ user: User; state: BearerState; row: Readonly<{ scopes: string }> }>,
  token: Principal["token"],
): AuthenticatedToken => ({ state, principal: { user, scopes: row.scopes.split(" "), token } });
