import type { Principal, User } from "@/access/principal";
import { allows, type Scope } from "@/access/scopes";
import {
  blocked,
  insufficientScope,
  invalidToken,
  personalTokenNeeded,
  unauthorized,
} from "@/http-api/errors";
import { enqueueGrantUse } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { callerOf } from "@/kernel/http/caller";
import { findPersonalToken, isPersonalToken } from "@/oauth/personal-access-tokens/service";
import type { TokenState } from "@/oauth/tokens/rules";
import { findBearer } from "@/oauth/tokens/service";

/**
 * Whom a request acts for, by an OAuth token or a personal access token. A session cookie never counts here.
 * @param token as it was presented; null when there is none.
 * @param scopes any of which opens the endpoint.
 * @param kinds `personal` where no OAuth token will do.
 * @throws ApiError 401, 403 or 400, in that order of checks: token, its kind, its state, its scope.
 */
export async function authenticate(
  deps: Deps,
  request: Request,
  token: string | null,
  scopes: readonly Scope[],
  kinds?: "personal",
): Promise<Principal> {
  if (token === null) throw unauthorized();
  if (kinds === "personal" && !isPersonalToken(token)) throw personalTokenNeeded();
  const found = isPersonalToken(token)
    ? await byPersonalToken(deps, token)
    : await byBearer(deps, request, token);
  if (found === null) throw unauthorized();
  const { state, principal } = found;
  if (state === "expired" || state === "revoked") throw invalidToken(state);
  // While its application is blocked, a token is as good as revoked to whoever holds it.
  if (state === "application_blocked") throw invalidToken("revoked");
  if (state === "user_blocked") throw blocked();
  if (!scopes.some((scope) => allows(principal.scopes, scope))) throw insufficientScope(scopes);
  return principal;
}

type AuthenticatedToken = Readonly<{ state: TokenState; principal: Principal }>;

async function byBearer(
  deps: Deps,
  request: Request,
  accessToken: string,
): Promise<AuthenticatedToken | null> {
  const found = await findBearer(deps, accessToken);
  if (found?.state === "live") enqueueGrantUse(deps, found.row, () => callerOf(request));
  return (
    found && known(found, { kind: "oauth", id: found.row.tokenId, applicationId: found.row.applicationId })
  );
}

async function byPersonalToken(deps: Deps, token: string): Promise<AuthenticatedToken | null> {
  const found = await findPersonalToken(deps, token);
  return found && known(found, { kind: "personal", id: found.row.tokenId, applicationId: null });
}

const known = (
  { user, state, row }: Readonly<{ user: User; state: TokenState; row: Readonly<{ scopes: string }> }>,
  token: Principal["token"],
): AuthenticatedToken => ({ state, principal: { user, scopes: row.scopes.split(" "), token } });
