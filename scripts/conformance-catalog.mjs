import { APPLICATIONS } from "./conformance-catalog/applications.mjs";
import { ATTACKS } from "./conformance-catalog/attacks.mjs";
import { AUTHORIZATION_CODE } from "./conformance-catalog/authorization-code.mjs";
import { AUTHORIZE } from "./conformance-catalog/authorize.mjs";
import { AUTHORIZE_DEVICE } from "./conformance-catalog/authorize-device.mjs";
import { BACKCHANNEL_LOGOUT } from "./conformance-catalog/backchannel-logout.mjs";
import { CERTIFICATION_PLANS } from "./conformance-catalog/certification-plans.mjs";
import { CLIENT_ASSERTIONS } from "./conformance-catalog/client-assertions.mjs";
import { CLIENT_CREDENTIALS } from "./conformance-catalog/client-credentials.mjs";
import { CROSS_CUTTING } from "./conformance-catalog/cross-cutting.mjs";
import { DEVICE_CODE } from "./conformance-catalog/device-code.mjs";
import { DEVICE_PAGE } from "./conformance-catalog/device-page.mjs";
import { DISCOVERY } from "./conformance-catalog/discovery.mjs";
import { DPOP } from "./conformance-catalog/dpop.mjs";
import { INTROSPECT } from "./conformance-catalog/introspect.mjs";
import { JWT_ACCESS_TOKENS } from "./conformance-catalog/jwt-access-tokens.mjs";
import { LOAD_AND_FAULTS } from "./conformance-catalog/load-and-faults.mjs";
import { MACHINE_CREDENTIALS } from "./conformance-catalog/machine-credentials.mjs";
import { NOT_MET } from "./conformance-catalog/not-met.mjs";
import { PASSWORD } from "./conformance-catalog/password.mjs";
import { PKCE } from "./conformance-catalog/pkce.mjs";
import { PROTECTED_RESOURCES } from "./conformance-catalog/protected-resources.mjs";
import { PUSHED_REQUESTS } from "./conformance-catalog/pushed-requests.mjs";
import { REFRESH_TOKEN } from "./conformance-catalog/refresh-token.mjs";
import { REVOKE } from "./conformance-catalog/revoke.mjs";
import { SECURITY } from "./conformance-catalog/security.mjs";
import { SIGN_IN_PROVIDERS } from "./conformance-catalog/sign-in-providers.mjs";
import { STEP_UP } from "./conformance-catalog/step-up.mjs";
import { TOKEN } from "./conformance-catalog/token.mjs";
import { TOKEN_INFO } from "./conformance-catalog/token-info.mjs";
import { TOKEN_USE } from "./conformance-catalog/token-use.mjs";
import { UNREGISTERED_CLIENTS } from "./conformance-catalog/unregistered-clients.mjs";
import { USERINFO_AND_ID_TOKEN } from "./conformance-catalog/userinfo-and-id-token.mjs";

export { NOT_MET };

/**
 * A rule of the protocol or of the product.
 * @typedef {object} Requirement
 * @property {string} rule the request or situation
 * @property {string} expected the required result: status, error code, effect
 * @property {string} source the section of the RFC or document that requires the result, or the decision in
 * docs/decisions/
 */

/** The chapters of docs/conformance.md with their rules, by the heading of the chapter. */
export const CHAPTERS = {
  "Cross-cutting": CROSS_CUTTING,
  "`GET|POST /oauth/authorize` and consent": AUTHORIZE,
  "`POST /oauth/token`, all grants": TOKEN,
  authorization_code: AUTHORIZATION_CODE,
  PKCE: PKCE,
  refresh_token: REFRESH_TOKEN,
  password: PASSWORD,
  client_credentials: CLIENT_CREDENTIALS,
  "device_code at `/oauth/token`": DEVICE_CODE,
  "`POST /oauth/authorize_device`": AUTHORIZE_DEVICE,
  "`/oauth/device` page": DEVICE_PAGE,
  "`POST /oauth/revoke`": REVOKE,
  "`POST /oauth/introspect`": INTROSPECT,
  "JWT access tokens": JWT_ACCESS_TOKENS,
  "`GET /oauth/token/info`": TOKEN_INFO,
  "`GET|POST /oauth/userinfo` and ID token": USERINFO_AND_ID_TOKEN,
  "Authentication context classes and step-up": STEP_UP,
  "Back-channel logout": BACKCHANNEL_LOGOUT,
  "Discovery, JWKS, CORS": DISCOVERY,
  "Applications page and redirect URI rules": APPLICATIONS,
  "Unregistered clients": UNREGISTERED_CLIENTS,
  "Protected resources and the MCP server": PROTECTED_RESOURCES,
  "Using the token": TOKEN_USE,
  "Signed client assertions": CLIENT_ASSERTIONS,
  "Credentials for machines": MACHINE_CREDENTIALS,
  "`POST /oauth/par`": PUSHED_REQUESTS,
  "Sign-in with other providers": SIGN_IN_PROVIDERS,
  "Tokens that are bound to a key (DPoP)": DPOP,
  Attacks: ATTACKS,
  "Load and faults": LOAD_AND_FAULTS,
  "Security, clients and faults": SECURITY,
  "Certification plans of the OpenID Foundation": CERTIFICATION_PLANS,
};

/** @typedef {{ [Heading in keyof typeof CHAPTERS]: keyof typeof CHAPTERS[Heading] }[keyof typeof CHAPTERS]} RequirementId */

/** The rules of all chapters. @type {Readonly<Record<RequirementId, Requirement>>} */
export const REQUIREMENTS = Object.assign({}, ...Object.values(CHAPTERS));
