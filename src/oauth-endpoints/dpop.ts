import type { Deps } from "@/kernel/deps/deps";
import { dpopNonce } from "@/oauth/dpop/nonce";
import { DPOP_ALGORITHMS, type ProofRefusal } from "@/oauth/dpop/rules";
import { claimProof, type Proof, readProof } from "@/oauth/dpop/service";
import { usesDpopScheme } from "@/oauth/dpop/token-binding";
import type { BearerState } from "@/oauth/tokens/service";
import { OAuthError } from "./errors";

/**
 * Returns the DPoP proof of a request to the token endpoint or to the PAR endpoint; null for a request
 * without a proof. The proof is verified before the client authenticates. A client that must repeat its
 * request with a nonce therefore does not use up its assertion.
 * @throws OAuthError `use_dpop_nonce` or `invalid_dpop_proof` with 400 (RFC 9449 §5, §8).
 */
export async function proofOf(deps: Deps, request: Request): Promise<Proof | null> {
  const proof = await readProof(deps, request, null);
  if (proof !== null && "refused" in proof) throw refusedProof(proof.refused);
  return proof;
}

/**
 * Marks the DPoP proof of a request as used, after the client is authenticated.
 * @returns the thumbprint of the key of the proof; null for a request without a proof.
 * @throws OAuthError `invalid_dpop_proof` for a proof that was used before.
 */
export async function spendProof(deps: Deps, proof: Proof | null): Promise<string | null> {
  if (proof === null) return null;
  if (!(await claimProof(deps, proof))) throw refusedProof("reused");
  return proof.jkt;
}

const DESCRIPTIONS: Readonly<Record<ProofRefusal, string>> = {
  malformed: "The DPoP header is not a single JSON Web Token of the type dpop+jwt with a jti.",
  key: "The DPoP proof contains no public key (jwk) that matches its algorithm.",
  signature: "The signature of the DPoP proof is not valid.",
  request: "The htm or the htu of the DPoP proof differs from the method or the URL of this request.",
  time: "The iat of the DPoP proof differs too much from the current time.",
  token: "The ath of the DPoP proof is not the SHA-256 digest of the access token.",
  nonce: "Use the nonce of the header DPoP-Nonce in the DPoP proof.",
  reused: "The DPoP proof was already used. Create a proof for each request.",
};

const refusedProof = (refused: ProofRefusal): OAuthError =>
  new OAuthError(
    refused === "nonce" ? "use_dpop_nonce" : "invalid_dpop_proof",
    DESCRIPTIONS[refused],
    `dpop_${refused}`,
  );

/** Returns the header with the current nonce for a client that uses DPoP; no header for all other clients. */
export const nonceHeader = (deps: Deps, request: Request): Readonly<Record<string, string>> =>
  request.headers.has("dpop") || usesDpopScheme(request) ? { "dpop-nonce": dpopNonce(deps) } : {};

/**
 * The errors of an API request whose authentication scheme does not match the key binding of its access token
 * (RFC 9449 §7.1).
 */
const BINDING_ERRORS = {
  proof_missing: {
    code: "invalid_token",
    description:
      "Use the scheme DPoP and a DPoP proof for a token that is bound to a key, and the scheme Bearer for any other token.",
  },
  proof_invalid: { code: "invalid_dpop_proof", description: "The DPoP proof is not valid for this request." },
  nonce_missing: { code: "use_dpop_nonce", description: DESCRIPTIONS.nonce },
} as const;

/**
 * Returns the error for an access token whose key binding does not match the request; null if the key binding
 * matches, or if the token is refused for another reason.
 */
export function bindingError(state: BearerState): OAuthError | null {
  if (state !== "proof_missing" && state !== "proof_invalid" && state !== "nonce_missing") return null;
  const { code, description } = BINDING_ERRORS[state];
  return new OAuthError(code, description, `dpop_${state}`, {
    status: 401,
    challenge: `DPoP algs="${DPOP_ALGORITHMS.join(" ")}", error="${code}", error_description="${description}"`,
  });
}
