import type { Deps } from "@/kernel/deps/deps";
import { allowsPlainHttp } from "@/oauth/applications/service";
import { withAdmittedScopes } from "@/oauth/applications/unregistered";
import { FIRST_SEEN, pushedParameters, queryFrom } from "@/oauth/authorizations/authorization-request";
import { refusedPush } from "@/oauth/authorizations/rules";
import { resourceOf } from "@/oauth/authorizations/service";
import { pushRequest } from "@/oauth/pushed-requests/service";
import { authenticateClient } from "./client-auth";
import { readClientOf } from "./document-client";
import { proofOf, spendProof } from "./dpop";
import { invalidRequest, OAuthError } from "./errors";
import { readForm } from "./form";
import { countRefusal } from "./refusals";

/**
 * `POST /oauth/par` (RFC 9126): authenticates the client, checks its authorization request and stores the request for
 * the browser of the user. A DPoP proof binds the authorization code to its key (RFC 9449 §10.1). The checks are those of `/oauth/authorize`, except the checks that depend on the user.
 * @throws OAuthError with the error code that `/oauth/authorize` would send to the client.
 */
export async function pushAuthorizationRequest(deps: Deps, request: Request): Promise<object> {
  const form = await readForm(request, pushedParameters);
  const proof = await proofOf(deps, request);
  await readClientOf(deps, request, form);
  const application = await withAdmittedScopes(deps, await authenticateClient(deps, request, form));
  const proofKey = await spendProof(deps, proof);
  if (proofKey !== null && proofKey !== (form.get("dpop_jkt") ?? proofKey))
    throw invalidRequest("dpop_jkt differs from the key of the DPoP proof.", "dpop_jkt_differs");
  const parameters = new Map(
    pushedParameters.flatMap((name) => {
      const value = name === "client_id" ? application.uid : form.get(name);
      if (name === "dpop_jkt" && proofKey !== null) return [[name, proofKey] as const];
      return value === undefined || name === FIRST_SEEN ? [] : [[name, value] as const];
    }),
  );
  const pushed = { parameters, repeated: new Set<string>() };
  const refused = refusedPush(pushed, {
    application,
    plainHttp: allowsPlainHttp(deps),
    resourceUnknown: resourceOf(deps, pushed) === undefined,
  });
  if (refused !== null) {
    const error = new OAuthError(refused.code, refused.description, `authorize_${refused.code}`);
    throw await countRefusal(deps, request, application.uid, error);
  }
  const { requestUri, expiresInSeconds } = await pushRequest(deps, application, queryFrom(pushed));
  return { request_uri: requestUri, expires_in: expiresInSeconds };
}
