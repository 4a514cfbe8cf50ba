// Runs oidc-provider in a separate process, for a comparison with Gatehouse. The configuration follows the
// documentation of oidc-provider, and all data are stored in memory.
import { randomBytes } from "node:crypto";
import Provider from "oidc-provider";
import { memoryAdapter } from "./memory-adapter.mjs";

const {
  ISSUER = "",
  PORT = "",
  CLIENT_ID = "",
  CLIENT_SECRET = "",
  PUBLIC_CLIENT_ID = "",
  ASSERTING_CLIENT_ID = "",
  PUBLIC_JWK = "",
  REDIRECT_URI = "",
} = process.env;

const clients = [
  {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    grant_types: ["client_credentials", "authorization_code", "refresh_token"],
    response_types: ["code"],
    redirect_uris: [REDIRECT_URI],
  },
  {
    client_id: PUBLIC_CLIENT_ID,
    token_endpoint_auth_method: "none",
    application_type: "native",
    grant_types: ["urn:ietf:params:oauth:grant-type:device_code"],
    response_types: [],
    redirect_uris: [],
  },
  {
    client_id: ASSERTING_CLIENT_ID,
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [JSON.parse(PUBLIC_JWK)] },
    grant_types: ["client_credentials"],
    response_types: [],
    redirect_uris: [],
  },
];

const provider = new Provider(ISSUER, {
  adapter: memoryAdapter,
  clients,
  // Without the scope `openid`, oidc-provider signs no ID token. The calls to Gatehouse in the same benchmark
  // rows do not contain the scope `openid`.
  scopes: ["openid", "offline_access", "read_user"],
  pkce: { required: () => false },
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  // Because `expiresWithSession` returns false, a token refresh does not look up the session of the browser.
  expiresWithSession: async () => false,
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    deviceFlow: { enabled: true },
    devInteractions: { enabled: true },
    // Like Gatehouse, oidc-provider requires a nonce and refuses a second use of a DPoP proof.
    dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
  },
});

provider.listen(Number(PORT), "127.0.0.1");
