import type { Deps } from "@/kernel/deps/deps";
import { clientIpOf, sourceNetwork } from "@/kernel/http/ip-address";
import { isClientUrl } from "@/oauth/applications/client-url";
import type { Application } from "@/oauth/applications/rules";
import { withAdmittedScopes } from "@/oauth/applications/unregistered";
import { findClient } from "@/oauth/client-documents/service";
import { OAuthError } from "./errors";
import type { Form } from "./form";

/** The document of a client is requested at most once in this number of seconds. */
const RETRY_SECONDS = 60;

/**
 * Fetches the metadata document of an unregistered client that sent a device request or a pushed
 * authorization request. The client sends these requests before the user opens the consent page.
 */
export async function readClientOf(deps: Deps, request: Request, form: Form): Promise<void> {
  const uid = form.get("client_id");
  if (uid === undefined || !isClientUrl(uid)) return;
  await findClient(deps, uid, { network: sourceNetwork(clientIpOf(request)) });
}

/**
 * Returns an authenticated client with the scopes that the instance allows for the client. If the stored
 * metadata document of a public client is not fresh, the document is requested again, so that the site of the
 * client can withdraw the document. For a client that authenticates with its key, the authentication has
 * already requested the document.
 * @throws OAuthError `invalid_client` if the metadata document was withdrawn or is refused;
 * `temporarily_unavailable` if the document cannot be read at the moment.
 */
export async function currentClient(deps: Deps, request: Request, client: Application): Promise<Application> {
  if (client.registered || client.authMethod !== null || !isClientUrl(client.uid))
    return withAdmittedScopes(deps, client);
  const lookup = await findClient(deps, client.uid, { network: sourceNetwork(clientIpOf(request)) });
  if ("application" in lookup && lookup.application.authMethod === null) return lookup.application;
  // The site has added a public key to the document, so a request without a signed assertion is refused.
  const refused = "application" in lookup ? "assertion_missing" : lookup.refused;
  if (refused === "client_document_unavailable") throw documentUnavailable();
  throw new OAuthError(
    "invalid_client",
    "Client authentication failed: the client metadata document was withdrawn, or requires another authentication method.",
    refused,
  );
}

/**
 * Returns the error for a client whose stored metadata document is too old while the site of the document does
 * not respond.
 */
export const documentUnavailable = (): OAuthError =>
  new OAuthError(
    "temporarily_unavailable",
    "The client metadata document cannot be read at the moment. Try again later.",
    "client_document_unavailable",
    { retryAfterSeconds: RETRY_SECONDS },
  );
