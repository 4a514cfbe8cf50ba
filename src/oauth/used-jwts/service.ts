import { digest } from "@/kernel/crypto/token";
import type { Deps } from "@/kernel/deps/deps";
import type { UsedJwt } from "./claim-jwt";
import { insertOnce } from "./store.sql";

/** A JSON Web Token that can be used only once. */
type SingleUseJwt = Readonly<{
  /**
   * The purpose and the issuer of the token. The stored record of a used token is identified by the purpose,
   * the issuer and the `jti`, because two issuers may choose the same `jti`.
   */
  issuer: string;
  jti: string;
  /**
   * The time at which the token expires. After the expiry, the stored record of the token is no longer needed
   * to refuse the token.
   */
  expiresAt: Date;
}>;

/** Returns the row that marks a token as used. */
export const usedJwtOf = ({ issuer, jti, expiresAt }: SingleUseJwt): UsedJwt => ({
  jwtDigest: digest(JSON.stringify([issuer, jti])),
  jwtExpiresAt: expiresAt,
});

/**
 * Marks a token as used, for all processes of the instance (RFC 7523 §3, RFC 9449 §11.1).
 * @returns true for exactly one of several concurrent callers; false for a token that was used before.
 */
export const claimJwt = (deps: Deps, usedJwt: UsedJwt): Promise<boolean> =>
  insertOnce(deps.prepared, usedJwt);
