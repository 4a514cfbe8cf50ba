import type { Deps } from "@/kernel/deps/deps";
import type { ProofRefusal } from "./rules";
import { claimProof, readProof } from "./service";

/**
 * The result of checking that an access token is bound to the key of the sender. `proof_missing` means that
 * the request sends a bound token with the scheme `Bearer`, or a bearer token with the scheme `DPoP`.
 */
export type BindingState = "bound" | "proof_missing" | "proof_invalid" | "nonce_missing";

/** Returns whether a request presents its access token with the scheme `DPoP` (RFC 9449 §7.1). */
export const usesDpopScheme = (request: Request): boolean =>
  /^dpop\s/i.test(request.headers.get("authorization") ?? "");

/**
 * Checks that the sender of a request has the key to which the access token is bound (RFC 9449 §7.1, §7.2),
 * and marks the DPoP proof as used.
 * @param token.jkt the thumbprint of the key to which the token is bound.
 */
export async function checkBinding(
  deps: Deps,
  request: Request,
  token: Readonly<{ accessToken: string; jkt: string | null }>,
): Promise<BindingState> {
  if (token.jkt === null || !usesDpopScheme(request)) return "proof_missing";
  const proof = await readProof(deps, request, token.accessToken);
  if (proof === null) return "proof_missing";
  if ("refused" in proof) return stateFor(proof.refused);
  if (proof.jkt !== token.jkt) return "proof_invalid";
  return (await claimProof(deps, proof)) ? "bound" : "proof_invalid";
}

const stateFor = (refused: ProofRefusal): BindingState =>
  refused === "nonce" ? "nonce_missing" : "proof_invalid";
