import { ALL_SCOPES } from "@/access/scopes";
import { ACR_VALUES } from "@/identity/sessions/authentication-methods";
import { isOn } from "@/instance/flags/service";
import type { Settings } from "@/instance/settings/catalog";
import { readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import { ASSERTION_METHODS } from "@/oauth/applications/client-authentication";
import { PROMPTS, RESPONSE_MODES } from "@/oauth/authorizations/authorization-request";
import { ALGORITHMS } from "@/oauth/client-assertions/rules";
import { DPOP_ALGORITHMS } from "@/oauth/dpop/rules";
import { SIGNING_ALGORITHMS } from "@/oauth/signing-keys/rules";
import { publishedKeys } from "@/oauth/signing-keys/service";
import { CORS } from "./cors";
import { documentEndpoint } from "./endpoint";
import { USER_CLAIMS } from "./user-claims";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const CLIENT_AUTHENTICATION = ["client_secret_basic", "client_secret_post", ...ASSERTION_METHODS];
const ASSERTION_ALGORITHMS = [...ALGORITHMS.private_key_jwt, ...ALGORITHMS.client_secret_jwt];

/** Returns the settings and other values from which the server metadata is created. */
async function metadataSources(deps: Deps) {
  const device = await isOn(deps, "oauth2_device_grant_flow");
  const settings = await readSettings(deps);
  const password = settings.password_authentication_enabled_for_git;
  const documents = settings.client_id_metadata_documents !== "off";
  const registration = settings.dynamic_client_registration !== "off";
  const responseIssuer = settings.authorization_response_iss;
  return [deps.config.issuer, device, password, responseIssuer, documents, registration] as const;
}

/** Returns the server metadata (OpenID Connect Discovery §3, RFC 8414 §2), without disabled grant types. */
const metadata = (
  issuer: string,
  device: boolean,
  password: boolean,
  responseIssuer: Settings["authorization_response_iss"],
  documents: boolean,
  registration: boolean,
): object => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
  require_pushed_authorization_requests: false,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  userinfo_endpoint: `${issuer}/oauth/userinfo`,
  end_session_endpoint: `${issuer}/oauth/end_session`,
  jwks_uri: `${issuer}/oauth/discovery/keys`,
  ...(registration ? { registration_endpoint: `${issuer}/oauth/register` } : {}),
  ...(device ? { device_authorization_endpoint: `${issuer}/oauth/authorize_device` } : {}),
  scopes_supported: ALL_SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: RESPONSE_MODES,
  prompt_values_supported: PROMPTS,
  grant_types_supported: [
    "authorization_code",
    "refresh_token",
    ...(password ? ["password"] : []),
    ...(device ? [DEVICE_GRANT] : []),
    "client_credentials",
  ],
  token_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, "none"],
  revocation_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, "none"],
  introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  code_challenge_methods_supported: ["S256"],
  // `authorization_response_iss_parameter_supported` tells clients to reject a response without `iss` (RFC 9207 §2.4).
  ...(responseIssuer === "always" ? { authorization_response_iss_parameter_supported: true } : {}),
  ...(documents ? { client_id_metadata_document_supported: true } : {}),
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: SIGNING_ALGORITHMS,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  acr_values_supported: ACR_VALUES,
  claim_types_supported: ["normal"],
  claims_supported: [
    "iss",
    "sub",
    "aud",
    "exp",
    "iat",
    "auth_time",
    "acr",
    "amr",
    "nonce",
    "at_hash",
    "sid",
    ...USER_CLAIMS,
  ],
  claims_parameter_supported: true,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
});

/**
 * The handler of the two discovery documents. Caches must revalidate the documents, so that changed settings
 * apply immediately.
 */
export const discovery = documentEndpoint(
  { name: "metadata", read: metadataSources, create: metadata },
  "public, no-cache",
  CORS.discovery,
);

/**
 * The handler of the JWKS document, which contains the public keys of the server (RFC 7517 §5). Caches may
 * store the public keys only briefly, because the server signs with new keys immediately after
 * `gatehouse keys rotate --now`, and `--withdraw` removes leaked keys from the document.
 */
export const jwks = documentEndpoint(
  {
    name: "keys",
    read: async (deps) => [await publishedKeys(deps)],
    create: (keys) => ({ keys }),
  },
  "public, max-age=300",
  CORS.discovery,
);
