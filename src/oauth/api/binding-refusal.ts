import { ApiError } from "@/http-api/errors";
import type { Deps } from "@/kernel/deps/deps";
import { dpopNonce } from "../dpop/nonce";
import { DPOP_ALGORITHMS } from "../dpop/rules";
import type { BindingState } from "../dpop/token-binding";

const PROBLEMS: Readonly<
  Record<Exclude<BindingState, "bound">, Readonly<{ error: string; error_description: string }>>
> = {
  proof_missing: {
    error: "invalid_token",
    error_description:
      "Use the scheme DPoP and a DPoP proof for a token that is bound to a key, and the scheme Bearer for any other token.",
  },
  proof_invalid: {
    error: "invalid_dpop_proof",
    error_description: "The DPoP proof is not valid for this request, or was already used.",
  },
  nonce_missing: {
    error: "use_dpop_nonce",
    error_description: "Use the nonce of the header DPoP-Nonce in the DPoP proof.",
  },
};

/**
 * Returns the error for a request whose sender did not prove the possession of the key to which the token is
 * bound (RFC 9449 §7.1, §9).
 */
export function bindingRefusal(deps: Deps, state: keyof typeof PROBLEMS): ApiError {
  const body = PROBLEMS[state];
  const { error, error_description } = body;
  const challenge = `DPoP algs="${DPOP_ALGORITHMS.join(" ")}", error="${error}", error_description="${error_description}"`;
  return new ApiError(401, body, challenge, { "dpop-nonce": dpopNonce(deps) });
}
