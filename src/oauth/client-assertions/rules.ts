import type { AssertionMethod } from "../applications/client-authentication";
import { PUBLIC_KEY_ALGORITHMS } from "../applications/key-set";

/** The keys at a JWKS URL are requested again at most once in this number of seconds. */
export const KEYS_PAUSE_SECONDS = 30;

/**
 * The signature algorithms of each authentication method (RFC 7518 §3.1). A client secret has 55 characters,
 * which is too short for HS512.
 */
export const ALGORITHMS = {
  private_key_jwt: PUBLIC_KEY_ALGORITHMS,
  client_secret_jwt: ["HS256"],
} as const satisfies Record<AssertionMethod, readonly string[]>;

/** The maximum time for which an assertion can be valid. */
const VALID_SECONDS_MAX = 300;

/** The tolerated difference between the clocks of the client and of this server. */
export const SKEW_SECONDS = 60;

const JTI_CHARACTERS_MAX = 255;

/** The received claims of an assertion, which are not validated yet (RFC 7519 §4.1). */
export type AssertionClaims = Readonly<Record<string, unknown>>;

export type ClaimsRefusal =
  | "assertion_issuer"
  | "assertion_audience"
  | "assertion_expired"
  | "assertion_lifetime"
  | "assertion_jti";

/**
 * Checks the claims of an assertion whose signature is valid (RFC 7523 §3).
 * @param expected.audiences the allowed values of `aud`: the issuer and the URL of the endpoint.
 * @returns the `jti` and the time until which the assertion is valid, or the reason why the assertion is
 * refused.
 */
export function checkClaims(
  claims: AssertionClaims,
  expected: Readonly<{ uid: string; audiences: readonly string[]; now: Date }>,
): { readonly jti: string; readonly refusedAfter: Date } | { readonly refused: ClaimsRefusal } {
  const { exp, iat, nbf, jti } = claims;
  const now = expected.now.getTime() / 1000;
  if (claims["iss"] !== expected.uid || claims["sub"] !== expected.uid)
    return { refused: "assertion_issuer" };
  const audiences = [claims["aud"]].flat();
  // If `aud` named several servers, one of these servers could replay the assertion at this server.
  if (audiences.length === 0 || !audiences.every((audience) => isOneOf(expected.audiences, audience)))
    return { refused: "assertion_audience" };
  if (!isSeconds(exp) || exp + SKEW_SECONDS <= now) return { refused: "assertion_expired" };
  if (exp > now + VALID_SECONDS_MAX + SKEW_SECONDS) return { refused: "assertion_lifetime" };
  if ([iat, nbf].some((time) => time !== undefined && (!isSeconds(time) || time > now + SKEW_SECONDS)))
    return { refused: "assertion_lifetime" };
  if (typeof jti !== "string" || jti === "" || jti.length > JTI_CHARACTERS_MAX)
    return { refused: "assertion_jti" };
  return { jti, refusedAfter: new Date((exp + SKEW_SECONDS) * 1000) };
}

const isSeconds = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const isOneOf = (values: readonly string[], value: unknown): boolean =>
  values.some((allowed) => allowed === value);
