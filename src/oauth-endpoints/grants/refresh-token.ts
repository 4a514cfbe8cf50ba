import { z } from "zod";
import { enqueueGrantUse } from "@/instance/last-use/service";
import { countEvent } from "@/instance/statistics/service";
import { accessTokensOf } from "@/oauth/applications/token-options";
import { type RefreshOutcome, refresh } from "@/oauth/tokens/rotation";
import { invalidRequest, invalidTarget, OAuthError } from "../errors";
import { idTokenFor } from "../id-token";
import { tokenResponse } from "../token-response";
import { defineClientlessGrant } from "./grant";

const text = z.string().max(4096);

const fields = z.object({
  refresh_token: text,
  scope: text.optional(),
  redirect_uri: text.optional(),
  code_verifier: text.optional(),
  resource: text.optional(),
});

/**
 * The refresh token grant (RFC 6749 §6). Only the client to which a refresh token was issued can use the
 * refresh token.
 */
export const refreshToken = defineClientlessGrant({
  type: "refresh_token",
  fields,
  exchange: async ({ deps, settings, client, caller, dpopJkt }, form) => {
    const outcome = await refresh({
      deps,
      settings,
      request: {
        refreshToken: form.refresh_token,
        applicationId: client?.id ?? null,
        scope: form.scope,
        redirectUri: form.redirect_uri,
        codeVerifier: form.code_verifier,
        dpopJkt,
        isConfidential: client?.confidential === true,
        admittedScopes: client === null || client.registered ? null : client.scopes,
        resource: form.resource,
        accessToken: client && accessTokensOf(client),
      },
      present: async (issued) => ({
        ...tokenResponse(issued),
        ...(await idTokenFor(deps, settings, { issued, application: client, nonce: null })),
      }),
    });
    if ("refused" in outcome) throw refusal(outcome.refused);
    const { familyId } = outcome;
    enqueueGrantUse(deps, { familyId, applicationId: client?.id ?? null, lastUsedAt: null }, () => caller);
    countEvent(deps, "token.refreshed", client?.uid ?? null);
    return outcome.response;
  },
});

/**
 * Returns the error response for a refused token refresh. The error does not reveal whether the token is unknown,
 * already used, expired, revoked or issued to another client.
 */
function refusal(reason: Extract<RefreshOutcome, { refused: unknown }>["refused"]): OAuthError {
  if (reason === "client_missing")
    return new OAuthError(
      "invalid_grant",
      "This refresh token belongs to an application. Send the client_id and, for a confidential application, the client_secret.",
      "refresh_client_missing",
    );
  if (reason === "proof_missing")
    return new OAuthError(
      "invalid_dpop_proof",
      "This refresh token belongs to a grant that is bound to a key. Send a DPoP proof.",
      "refresh_proof_missing",
    );
  if (reason === "redirect_uri_missing")
    return invalidRequest("Missing required parameter: redirect_uri.", "refresh_redirect_uri_missing");
  if (reason === "resource_differs") return invalidTarget("refresh_resource_differs");
  if (reason === "scope_exceeds")
    return new OAuthError(
      "invalid_scope",
      "The requested scope exceeds the granted scope.",
      "refresh_scope_exceeds",
    );
  return new OAuthError(
    "invalid_grant",
    "The refresh token is invalid, expired, revoked or already used, or does not match this request.",
    `refresh_${reason}`,
  );
}
