import { createHash } from "node:crypto";
import type { User } from "@/access/principal";
import * as users from "@/identity/users/service";
import type { Settings } from "@/instance/settings/catalog";
import type { Deps } from "@/kernel/deps/deps";
import { unixSeconds } from "@/kernel/http/unix-time";
import type { Application } from "@/oauth/applications/rules";
import type { SigningAlgorithm } from "@/oauth/signing-keys/rules";
import { signJwt } from "@/oauth/signing-keys/service";
import { authenticationClaims } from "@/oauth/tokens/access-token";
import type { IssuedTokens } from "@/oauth/tokens/service";
import { claimsOf, type GroupPaths } from "./user-claims";

export type IdTokenSubject = Readonly<{
  issued: IssuedTokens;
  application: Application | null;
  /**
   * The nonce of the authorization request; null if the request has no nonce, and for a token refresh (OpenID
   * Connect Core §12.2).
   */
  nonce: string | null;
}>;

/**
 * Returns the ID token of a token response (OpenID Connect Core §2, §3.1.3.6), as a member of the response.
 * The result is empty if the scope `openid` is missing, or if the token has no application, because the
 * application is the audience.
 */
export async function idTokenFor(
  deps: Deps,
  settings: Settings,
  { issued, application, nonce }: IdTokenSubject,
): Promise<{ id_token: string } | Record<never, never>> {
  if (application === null || !issued.scopes.includes("openid")) return {};
  const user = await users.findById(deps, issued.userId);
  if (user === null) return {};
  const { idTokenAlgorithm: algorithm } = application.tokens;
  const now = unixSeconds(deps.clock());
  const claims = {
    iss: deps.config.issuer,
    sub: String(user.id),
    aud: application.uid,
    exp: now + settings.id_token_expires_in,
    iat: now,
    ...authenticationClaims(issued),
    ...(nonce === null ? {} : { nonce }),
    ...(issued.sid === null ? {} : { sid: issued.sid }),
    at_hash: accessTokenHash(issued.accessToken, algorithm),
    ...claimsOf(deps, user, issued.scopes),
    ...(await idTokenGroups(deps, user)),
  };
  return { id_token: await signJwt(deps, claims, algorithm) };
}

/**
 * Returns the left half of the digest of an access token. This value binds the ID token to the access token
 * (OpenID Connect Core §3.1.3.6). The digest uses the hash function of the signature algorithm; for Ed25519,
 * the hash function is SHA-512.
 */
function accessTokenHash(accessToken: string, algorithm: SigningAlgorithm): string {
  const digest = createHash(algorithm === "EdDSA" ? "sha512" : "sha256")
    .update(accessToken)
    .digest();
  return digest.subarray(0, digest.byteLength / 2).toString("base64url");
}

/**
 * The maximum length, in characters, of a list of groups in an ID token. Clients send ID tokens in URLs as `id_token_hint`, and servers
 * accept URLs of about 8,000 characters.
 */
const CHARACTERS_MAX = 2_048;

/**
 * Returns the claims `groups` and `groups_direct` for ID tokens. Each of the two claims is omitted if its
 * list of groups is too long.
 */
async function idTokenGroups(deps: Deps, user: User): Promise<object> {
  const { direct, all } = await deps.hooks.groupPaths(deps, user.id);
  const fits = (paths: GroupPaths) => paths !== null && JSON.stringify(paths).length <= CHARACTERS_MAX;
  return {
    ...(fits(all) ? { groups: all } : {}),
    ...(fits(direct) ? { groups_direct: direct } : {}),
  };
}
