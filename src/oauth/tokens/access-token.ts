import { newToken } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import { unixSeconds } from "@/kernel/http/unix-time";
import type { SigningAlgorithm } from "../signing-keys/rules";
import { signJwt } from "../signing-keys/service";

/** The format of the access tokens of a client. */
export type AccessTokenOptions = Readonly<{
  accessTokenFormat: "opaque" | "jwt";
  /** The algorithm that signs a JWT access token. */
  idTokenAlgorithm: SigningAlgorithm;
  clientUid: string;
}>;

/**
 * The maximum lifetime of a JWT access token. A short lifetime is necessary, because a resource server does
 * not notice the revocation of the token.
 */
const JWT_SECONDS_MAX = 600;

/** Returns the lifetime of an access token in seconds; 0 means unlimited. */
export const accessTokenSeconds = (seconds: number, options: AccessTokenOptions | null): number =>
  options?.accessTokenFormat === "jwt" ? Math.min(seconds || JWT_SECONDS_MAX, JWT_SECONDS_MAX) : seconds;

/** The values from which a JWT access token is created. */
export type AccessTokenFacts = Readonly<{
  /** The id of the user, or the `client_id` of a client that acts for itself. */
  subject: string;
  scopes: readonly string[];
  /** The protected resource of the grant (RFC 8707); null for a grant without a resource. */
  resource: string | null;
  authTime: Date | null;
  /**
   * The authentication context class of the user and the authentication methods; null if the class and the
   * methods are unknown.
   */
  acr: string | null;
  amr: string | null;
  createdAt: Date;
  expiresInSeconds: number;
  /** The thumbprint of the key to which the token is bound (RFC 9449 §6.1); null for a bearer token. */
  dpopJkt: string | null;
}>;

/** Returns the claims about the authentication of the user (OpenID Connect Core §2, RFC 9068 §2.2.1). */
export const authenticationClaims = ({
  authTime,
  acr,
  amr,
}: Pick<AccessTokenFacts, "authTime" | "acr" | "amr">): object => ({
  ...(authTime === null ? {} : { auth_time: unixSeconds(authTime) }),
  ...(acr === null ? {} : { acr }),
  ...(amr === null ? {} : { amr: amr.split(" ") }),
});

/**
 * Returns a new access token: a random string, or a JSON Web Token (RFC 9068 §2) if the client uses this
 * format. The audience of a JWT is the protected resource of the grant, or this instance.
 */
export async function newAccessToken(
  deps: Deps,
  options: AccessTokenOptions | null,
  facts: AccessTokenFacts,
): Promise<string> {
  if (options?.accessTokenFormat !== "jwt") return newToken(deps.randomBytes, "access");
  const iat = unixSeconds(facts.createdAt);
  const claims = {
    iss: deps.config.issuer,
    sub: facts.subject,
    aud: facts.resource ?? deps.config.issuer,
    client_id: options.clientUid,
    scope: facts.scopes.join(" "),
    iat,
    exp: iat + facts.expiresInSeconds,
    jti: Buffer.from(deps.randomBytes(16)).toString("base64url"),
    ...(facts.dpopJkt === null ? {} : { cnf: { jkt: facts.dpopJkt } }),
    ...authenticationClaims(facts),
  };
  return signJwt(deps, claims, options.idTokenAlgorithm, "at+jwt");
}
