import { reserve } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { BodyTooLarge, readBody } from "@/kernel/http/body";
import { clientIpOf, sourceNetwork } from "@/kernel/http/ip-address";
import { unixSeconds } from "@/kernel/http/unix-time";
import { type ClientMetadata, clientMetadata } from "@/oauth/dynamic-clients/schema";
import {
  changeRegistration,
  findRegistration,
  type RegisteredClient,
  registerClient,
  removeRegistration,
} from "@/oauth/dynamic-clients/service";
import { bearerChallenge, bearerInHeader } from "./bearer";
import { CORS, corsHeaders } from "./cors";
import { oauthEndpoint } from "./endpoint";
import { OAuthError } from "./errors";
import { NO_STORE } from "./no-store";
import { rateLimited } from "./refusals";

const BYTES_MAX = 65_536;

/**
 * `POST /oauth/register` (RFC 7591 §3.1): registers a public client.
 * @throws OAuthError `access_denied` with 403 while registration is off; 429 after too many registrations;
 * `invalid_redirect_uri` or `invalid_client_metadata` for invalid metadata.
 */
export async function register(deps: Deps, request: Request): Promise<object> {
  const settings = await readSettings(deps);
  if (settings.dynamic_client_registration === "off") throw registrationOff();
  const source = sourceNetwork(clientIpOf(request));
  const subjects = [limitOf(settings, "client_registration_per_address", source)];
  const seconds = await reserve(deps.db, subjects, deps.clock());
  if (seconds !== null) throw rateLimited(seconds, "register_limited");
  return responseFor(deps, await registerClient(deps, await metadataOf(request)));
}

type Managed = NonNullable<Awaited<ReturnType<typeof findRegistration>>>;

/**
 * Returns a handler of `/oauth/register/:client_id` (RFC 7592 §2). The client authenticates with its registration access
 * token.
 */
const managing =
  (run: (deps: Deps, request: Request, managed: Managed, token: string) => Promise<object>) =>
  (request: Request): Promise<Response> =>
    oauthEndpoint(async (deps) => {
      const uid = new URL(request.url).pathname.split("/").at(-1) ?? "";
      const token = bearerInHeader(request);
      const managed = token === null ? null : await findRegistration(deps, uid, token);
      if (token === null || managed === null)
        throw new OAuthError("invalid_token", "Send the registration access token.", "registration_token", {
          challenge: bearerChallenge(),
        });
      return run(deps, request, managed, token);
    }, CORS.registration)(request);

/** `GET /oauth/register/:client_id` (RFC 7592 §2.1). */
export const readClient = managing(async (deps, _request, managed, registrationToken) => {
  const { application, clientName, applicationType } = managed;
  return clientInformation(deps, {
    ...application,
    clientName,
    applicationType: applicationType === "web" ? "web" : "native",
    redirectUris: application.redirectUris.split("\n"),
    scopes: application.scopes.split(" "),
    backchannelLogout: {
      uri: application.backchannelLogoutUri,
      sessionRequired: application.backchannelLogoutSessionRequired,
    },
    registrationToken,
  });
});

/**
 * `PUT /oauth/register/:client_id` (RFC 7592 §2.2).
 * @throws OAuthError `invalid_client_metadata` if the metadata contain the `client_id` of another client.
 */
export const changeClient = managing(async (deps, request, managed, token) => {
  const metadata = await metadataOf(request);
  if (metadata.client_id !== undefined && metadata.client_id !== managed.application.uid)
    throw new OAuthError(
      "invalid_client_metadata",
      "The client_id in the metadata differs from the client_id in the URL.",
      "register_client_id",
    );
  return responseFor(deps, await changeRegistration(deps, managed, metadata, token));
});

const remove = managing(async (deps, _request, managed) => {
  await removeRegistration(deps, managed);
  return {};
});

/** `DELETE /oauth/register/:client_id` (RFC 7592 §2.3): responds with 204. */
export async function removeClient(request: Request): Promise<Response> {
  const response = await remove(request);
  if (response.status !== 200) return response;
  return new Response(null, { status: 204, headers: { ...NO_STORE, ...corsHeaders(CORS.registration) } });
}

async function metadataOf(request: Request): Promise<ClientMetadata> {
  try {
    const json: unknown = JSON.parse(Buffer.from(await readBody(request, BYTES_MAX)).toString("utf8"));
    const metadata = clientMetadata.safeParse(json);
    if (metadata.success) return metadata.data;
  } catch (cause) {
    if (!(cause instanceof BodyTooLarge || cause instanceof SyntaxError)) throw cause;
  }
  throw new OAuthError(
    "invalid_client_metadata",
    "Send a JSON object of at most 64 KB with 1 to 50 redirect_uris.",
    "metadata_malformed",
  );
}

function responseFor(deps: Deps, outcome: Awaited<ReturnType<typeof registerClient>>): object {
  if (outcome === "off") throw registrationOff();
  if ("problem" in outcome) throw new OAuthError(outcome.code, outcome.problem, "register_metadata");
  return clientInformation(deps, outcome);
}

const registrationOff = (): OAuthError =>
  new OAuthError(
    "access_denied",
    "Clients cannot register themselves on this server. Ask a user to register an application.",
    "registration_off",
    { status: 403 },
  );

/** Returns the client information response (RFC 7591 §3.2.1, RFC 7592 §3). */
const clientInformation = (
  { config }: Pick<Deps, "config">,
  client: Omit<RegisteredClient, "scopes"> & Readonly<{ scopes: readonly string[] }>,
): object => ({
  client_id: client.uid,
  client_id_issued_at: unixSeconds(client.createdAt),
  ...(client.clientName === null ? {} : { client_name: client.clientName }),
  redirect_uris: client.redirectUris,
  application_type: client.applicationType,
  ...(client.backchannelLogout.uri === null
    ? {}
    : {
        backchannel_logout_uri: client.backchannelLogout.uri,
        backchannel_logout_session_required: client.backchannelLogout.sessionRequired,
      }),
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  scope: client.scopes.join(" "),
  registration_access_token: client.registrationToken,
  registration_client_uri: `${config.issuer}/oauth/register/${client.uid}`,
});
