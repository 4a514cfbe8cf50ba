import { GET as getKeys } from "@app/oauth/discovery/keys/route.ts";
import { createLocalJWKSet, type JWTVerifyResult, jwtVerify } from "jose";
import type { User } from "@/access/principal.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import {
  authorizationQuery,
  type Client,
  codeFor,
  exchangeOf,
  type Fields,
  ORIGIN,
  registeredClient,
  requestToken,
  type SignedInUser,
} from "./authorization.ts";

/** Registers an application with all scopes of OpenID Connect. */
export const openIdClient = (deps: Deps, owner: User, draft: Parameters<typeof registeredClient>[2] = {}) =>
  registeredClient(deps, owner, { scopes: ["openid", "profile", "email", "read_user"], ...draft });

/** Runs the authorization code flow. @returns the body of the token response. */
export async function tokensFor(
  deps: Deps,
  user: SignedInUser,
  client: Client,
  changes: Fields = {},
): Promise<Record<string, unknown>> {
  const code = await codeFor(deps, user, authorizationQuery(client, { scope: "openid", ...changes }));
  return (await requestToken(exchangeOf(client, code))).body;
}

/**
 * Verifies an ID token as a client does, with a third-party library: keys, algorithm, issuer, audience and times.
 */
export async function verified(
  deps: Deps,
  idToken: unknown,
  client: Client,
  algorithm = "RS256",
): Promise<JWTVerifyResult> {
  const response = await getKeys(new Request(ORIGIN));
  return jwtVerify(String(idToken), createLocalJWKSet(await response.json()), {
    algorithms: [algorithm],
    issuer: ORIGIN,
    audience: client.id,
    typ: "JWT",
    currentDate: deps.clock(),
    requiredClaims: ["sub", "exp", "iat"],
  });
}
