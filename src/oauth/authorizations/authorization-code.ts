import { isPlainHttp } from "../applications/redirect-uri";
import type { Application } from "../applications/rules";
import type { ChallengeVerification } from "../tokens/pkce";
import { maySetResource } from "../tokens/resource";

/** A stored authorization code, with the values that the token request must match. */
export type IssuedCode = Readonly<{
  applicationId: number;
  redirectUri: string;
  scopes: readonly string[];
  resource: string | null;
  expiresAt: Date;
  usedAt: Date | null;
  userActive: boolean;
  verification: ChallengeVerification;
  /** The thumbprint of the key that the authorization request named (`dpop_jkt`). */
  dpopJkt: string | null;
}>;

export type CodeDecision =
  | "claim"
  | "replayed"
  | "replayed_late"
  | "verifier_missing"
  | "foreign"
  | "expired"
  | "redirect_uri_differs"
  | "redirect_uri_insecure"
  /** A scope was removed from the application after the authorization code was issued. */
  | "scope_gone"
  /** The token request and the authorization request name different protected resources (RFC 8707 §2.2). */
  | "resource_differs"
  | "verifier_wrong"
  /**
   * The authorization request named a different key than the DPoP proof of the token request (RFC 9449 §10).
   */
  | "proof_key_differs"
  | "user_blocked";

/**
 * Decides whether an authenticated client may exchange an authorization code (RFC 6749 §4.1.3, RFC 7636
 * §4.6). If the client that received an authorization code uses the code again after the reuse leeway
 * (`code_reuse_leeway`), the tokens of the code are revoked. If another client uses the authorization code,
 * no tokens are revoked.
 */
export function decideExchange(
  code: IssuedCode,
  exchange: Readonly<{
    application: Application;
    redirectUri: string;
    /**
     * The protected resource of the token request; undefined if the token request names no resource, null for
     * an unknown URI.
     */
    resource: string | null | undefined;
    /** Whether http redirect URIs are allowed on any host. */
    plainHttp: boolean;
    /** The thumbprint of the key of the DPoP proof; null for a request without a DPoP proof. */
    dpopJkt: string | null;
    now: Date;
    reuseLeewaySeconds: number;
  }>,
): CodeDecision {
  const { application, now } = exchange;
  if (code.applicationId !== application.id) return "foreign";
  if (code.usedAt !== null) {
    const late = now.getTime() - code.usedAt.getTime() > exchange.reuseLeewaySeconds * 1000;
    const isAuthenticated = application.confidential || code.verification === "right";
    return late && isAuthenticated ? "replayed_late" : "replayed";
  }
  if (now >= code.expiresAt) return "expired";
  if (code.redirectUri !== exchange.redirectUri) return "redirect_uri_differs";
  if (!exchange.plainHttp && isPlainHttp(code.redirectUri)) return "redirect_uri_insecure";
  if (!code.scopes.every((scope) => application.scopes.some((allowed) => allowed === scope)))
    return "scope_gone";
  if (!maySetResource(exchange.resource, code.resource)) return "resource_differs";
  if (code.verification === "missing") return "verifier_missing";
  if (code.verification === "wrong" || code.verification === "unexpected") return "verifier_wrong";
  if (code.dpopJkt !== null && code.dpopJkt !== exchange.dpopJkt) return "proof_key_differs";
  return code.userActive ? "claim" : "user_blocked";
}
