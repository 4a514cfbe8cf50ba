import { z } from "zod";
import { enqueueGrantUse } from "@/instance/last-use/service";
import { countEvent } from "@/instance/statistics/service";
import { type CodeRefusal, exchangeCode } from "@/oauth/authorizations/service";
import { invalidRequest, invalidTarget, OAuthError } from "../errors";
import { idTokenFor } from "../id-token";
import { tokenResponse } from "../token-response";
import { defineGrant } from "./grant";

const text = z.string().max(4096);

/**
 * The parameters of the authorization code grant (RFC 6749 §4.1.3). A PKCE verifier has 43 to 128 unreserved
 * characters (RFC 7636 §4.1, §4.5).
 */
const fields = z.object({
  code: text,
  redirect_uri: text,
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9\-._~]{43,128}$/)
    .optional(),
  resource: text.optional(),
});

export const authorizationCode = defineGrant({
  type: "authorization_code",
  fields,
  exchange: async ({ deps, settings, client, caller, dpopJkt }, form) => {
    const outcome = await exchangeCode(deps, client, {
      code: form.code,
      redirectUri: form.redirect_uri,
      codeVerifier: form.code_verifier,
      dpopJkt,
      resource: form.resource,
    });
    if ("refused" in outcome) throw refusal(outcome.refused);
    const { familyId } = outcome;
    enqueueGrantUse(deps, { familyId, applicationId: client.id, lastUsedAt: null }, () => caller);
    countEvent(deps, "token.issued", client.uid);
    const idToken = await idTokenFor(deps, settings, {
      issued: outcome,
      application: client,
      nonce: outcome.nonce,
    });
    return { ...tokenResponse(outcome), ...idToken };
  },
});

/**
 * Returns the error response for a refused code exchange. The error does not reveal whether the authorization
 * code is unknown, used, expired or issued to another client.
 */
function refusal(reason: CodeRefusal): OAuthError {
  if (reason === "verifier_missing")
    return invalidRequest("Missing required parameter: code_verifier.", "code_verifier_missing");
  if (reason === "resource_differs") return invalidTarget("code_resource_differs");
  return new OAuthError(
    "invalid_grant",
    "The authorization code is invalid, expired or already used, or does not match this request.",
    `code_${reason}`,
  );
}
