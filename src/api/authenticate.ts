import type { Principal } from "@/access/principal";
import { allows, type Scope } from "@/access/scopes";
import { findBearer } from "@/features/tokens/service";
import type { Deps } from "@/platform/deps";
import { blocked, insufficientScope, invalidToken, twoTokens, unauthorized } from "./errors";

/**
 * Whom a request acts for. A session cookie never counts here.
 * @param scopes any of which opens the endpoint.
 * @throws ApiError 401, 403 or 400, in that order of checks: token, its state, its scope.
 */
export async function authenticate(
  deps: Deps,
  request: Request,
  scopes: readonly Scope[],
): Promise<Principal> {
  const token = presentedToken(request);
  if (token === null) throw unauthorized();
  const found = await findBearer(deps, token);
  if (found === null) throw unauthorized();
  const { row, state, user } = found;
  if (state === "expired" || state === "revoked") throw invalidToken(state);
  if (state === "user_blocked") throw blocked();
  const held = row.scopes.split(" ");
  if (!scopes.some((scope) => allows(held, scope))) throw insufficientScope(scopes);
  return { user, scopes: held, tokenId: row.tokenId };
}

/** The token of a request (RFC 6750 §2.1, §2.3, and the dialect's own carriers); null when there is none. */
function presentedToken(request: Request): string | null {
  const carried = [bearer(request.headers.get("authorization")), request.headers.get("private-token")];
  if (request.url.includes("?")) {
    const query = new URL(request.url).searchParams;
    carried.push(...query.getAll("access_token"), ...query.getAll("private_token"));
  }
  let token: string | null = null;
  for (const next of carried) {
    if (!next) continue;
    if (token !== null && token !== next) throw twoTokens();
    token = next;
  }
  return token;
}

/** The scheme is compared without case (RFC 9110 §11.1). */
const bearer = (header: string | null): string | null => {
  if (header === null || header.length < 8 || header.slice(0, 7).toLowerCase() !== "bearer ") return null;
  // Several headers arrive as one, joined by commas, which no token holds (RFC 6750 §2.1).
  if (header.includes(",")) throw twoTokens();
  return header.slice(7).trim();
};
