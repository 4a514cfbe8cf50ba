import type { Deps } from "@/kernel/deps/deps";
import { allowsPlainHttp } from "@/oauth/applications/service";
import { withAdmittedScopes } from "@/oauth/applications/unregistered";
import { FIRST_SEEN, pushedParameters, queryFrom } from "@/oauth/authorizations/authorization-request";
import { refusedPush } from "@/oauth/authorizations/request-errors";
import { parseClaims } from "@/oauth/authorizations/requested-claims";
import { resourceOf } from "@/oauth/authorizations/service";
import { pushRequest } from "@/oauth/pushed-requests/service";
import { authenticateClient } from "./client-auth";
import { readClientOf } from "./document-client";
import { proofOf, spendProof } from "./dpop";
import { invalidRequest, OAuthError } from "./errors";
import { readForm } from "./form";
import { countRefusal, reserveForPublicClient } from "./refusals";

/** The maximum length of a stored authorization request, in bytes. */
const STORED_BYTES_MAX = 16_384;

/**
 * `POST /oauth/par` (RFC 9126): authenticates the client, checks its authorization request and stores the
 * request for the browser of the user. A DPoP proof binds the authorization code to the key of the proof (RFC
 * 9449 §10.1). The endpoint runs the checks of `/oauth/authorize` that do not depend on the user.
 * @throws OAuthError with the error code that `/oauth/authorize` would send to the client. For a request that
 * is too large, the error code is `invalid_request`. After too many requests of a public client, the status
 * is 429.
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
  const claims = parseClaims(parameters.get("claims"));
  const pushed = { parameters, claims, repeated: new Set<string>() };
  const refused = refusedPush(pushed, {
    application,
    plainHttp: allowsPlainHttp(deps),
    resourceUnknown: (await resourceOf(deps, pushed)) === undefined,
  });
  if (refused !== null) {
    const error = new OAuthError(refused.code, refused.description, `authorize_${refused.code}`);
    throw await countRefusal(deps, request, application.uid, error);
  }
  const query = queryFrom(pushed);
  if (Buffer.byteLength(query) > STORED_BYTES_MAX)
    throw invalidRequest("The authorization request is larger than 16 KB.", "push_too_large");
  await reserveForPublicClient(deps, request, application, "pushed_request_per_client");
  const { requestUri, expiresInSeconds } = await pushRequest(deps, application, query);
  return { request_uri: requestUri, expires_in: expiresInSeconds };
}
