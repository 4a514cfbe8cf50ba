import type { Principal, User } from "@/access/principal";
import { allows, type Scope } from "@/access/scopes";
import {
  blocked,
  insufficientScope,
  invalidToken,
  personalTokenNeeded,
  twoTokens,
  unauthorized,
} from "@/http-api/errors";
import { type Body, bodyTexts } from "@/http-api/input";
import { noteGrantUse } from "@/instance/last-use/service";
import type { Deps } from "@/kernel/deps/deps";
import { basicOf } from "@/kernel/http/basic";
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

type Found = Readonly<{ state: TokenState; principal: Principal }>;

async function byBearer(deps: Deps, request: Request, accessToken: string): Promise<Found | null> {
  const found = await findBearer(deps, accessToken);
  if (found?.state === "live") noteGrantUse(deps, found.row, () => callerOf(request));
  return (
    found && known(found, { kind: "oauth", id: found.row.tokenId, applicationId: found.row.applicationId })
  );
}

async function byPersonalToken(deps: Deps, token: string): Promise<Found | null> {
  const found = await findPersonalToken(deps, token);
  return found && known(found, { kind: "personal", id: found.row.tokenId, applicationId: null });
}

const known = (
  { user, state, row }: Readonly<{ user: User; state: TokenState; row: Readonly<{ scopes: string }> }>,
  token: Principal["token"],
): Found => ({ state, principal: { user, scopes: row.scopes.split(" "), token } });

/** Parameters of the query and of the body that carry a token. */
export const TOKEN_PARAMETERS = ["access_token", "bearer_token", "private_token"];

/**
 * The token of a request (RFC 6750 §2, and the dialect's own carriers); null when there is none.
 * @param body of the request, which may carry it.
 * @param basic whether it may be the password of HTTP Basic, too, whatever the username.
 * @throws ApiError 400 when there are two different ones.
 */
export function presentedToken(request: Request, body: Body, basic = false): string | null {
  const authorization = request.headers.get("authorization");
  const carried = [bearer(authorization), request.headers.get("private-token")];
  if (basic && authorization !== null) carried.push(basicOf(authorization)?.password ?? null);
  if (request.url.includes("?")) {
    const query = new URL(request.url).searchParams;
    for (const name of TOKEN_PARAMETERS) carried.push(...query.getAll(name));
  }
  carried.push(...bodyTexts(body, TOKEN_PARAMETERS));
  let token: string | null = null;
  for (const next of carried) {
    if (!next) continue;
    if (token !== null && token !== next) throw twoTokens();
    token = next;
  }
  if (TOKEN_PARAMETERS.some((name) => body.part.repeated.has(name))) throw twoTokens();
  return token;
}

/** The scheme is compared without case (RFC 9110 §11.1). */
const bearer = (header: string | null): string | null => {
  if (header === null || header.length < 8 || header.slice(0, 7).toLowerCase() !== "bearer ") return null;
  // Several headers arrive as one, joined by commas, which no token holds (RFC 6750 §2.1).
  if (header.includes(",")) throw twoTokens();
  return header.slice(7).trim();
};
