import type { ClientRefusal } from "../applications/service";
import type { AuthorizationErrorCode } from "../authorizations/rules";
import type { CodeRefusal } from "../authorizations/service";
import type { AssertionRefusal } from "../client-assertions/service";
import type { PollRefusal } from "../device-authorizations/polling";
import type { RefreshOutcome } from "../tokens/rotation";

type RefreshRefusal = Extract<RefreshOutcome, { refused: unknown }>["refused"];
/**
 * The errors of a polling device that are recorded as failures. After `authorization_pending` or `slow_down`,
 * a device continues to poll.
 */
type DeviceRefusal = Exclude<PollRefusal["refused"], "authorization_pending" | "slow_down">;
/** The errors that the user of an application causes, and that its developer cannot fix. */
type UserDecisionError =
  | "access_denied"
  | "login_required"
  | "consent_required"
  | "unmet_authentication_requirements";

/** The reason why a request of an application failed. Log lines use the same names for the reasons as this type. */
export type FailureReason =
  | Exclude<
      ClientRefusal | AssertionRefusal,
      "client_unknown" | "assertion_malformed" | "client_document_unavailable"
    >
  | `code_${CodeRefusal}`
  | `refresh_${RefreshRefusal}`
  | `device_${DeviceRefusal}`
  | `authorize_${Exclude<AuthorizationErrorCode, UserDecisionError> | "redirect_uri_unknown" | "redirect_uri_insecure"}`
  | "code_missing"
  | "code_verifier_rejected"
  | "redirect_uri_missing"
  | "refresh_token_missing"
  | "device_code_missing"
  | "device_grant_off"
  | "scope_not_allowed"
  | "password_grant_off"
  | "dpop_required"
  | "password_wrong";

/**
 * The description of a failure and its remedy, for the developer of the application. The texts never contain
 * any part of a secret.
 */
type FailureTexts = Readonly<{ what: string; remedy: string }>;

const START_AGAIN = "Send the user to /oauth/authorize again.";
const PKCE =
  "Store the code_verifier of each authorization request, and send the code_verifier with the authorization code of the same request.";

/** The texts for each reason that a developer can act on. Failures with other reasons are not recorded. */
export const FAILURES: Readonly<Record<FailureReason, FailureTexts>> = {
  client_blocked: {
    what: "This application is blocked.",
    remedy: "Contact an administrator.",
  },
  client_keys_unavailable: {
    what: "The request to the JWKS URL of this application failed, and no key that was fetched in the last day fits the assertion.",
    remedy: "Make sure that this server can read the JWKS URL. The application can repeat the request.",
  },
  secret_missing: {
    what: "No client_secret was sent.",
    remedy:
      "Send a secret of the application by HTTP Basic or in the body of the request. If the application cannot keep a secret, change its type to public.",
  },
  assertion_missing: {
    what: "No signed assertion was sent.",
    remedy:
      "Send client_assertion and client_assertion_type, or change the authentication method of this application to a client secret.",
  },
  assertion_unexpected: {
    what: "A signed assertion was sent, but this application uses another authentication method.",
    remedy: "Send the client secret, or change the authentication method of this application.",
  },
  assertion_algorithm: {
    what: "The algorithm of the assertion does not match the authentication method of this application.",
    remedy: "Use RS256, PS256, ES256 or EdDSA with private_key_jwt, and HS256 with client_secret_jwt.",
  },
  assertion_signature: {
    what: "No key of this application verifies the signature of the assertion.",
    remedy:
      "Register the public key, and send its kid in the header of the assertion. For HS256, sign the assertion with one of the secrets that are listed above.",
  },
  assertion_issuer: {
    what: "The iss or the sub of the assertion was not the client_id.",
    remedy: "Set iss and sub to the Application ID.",
  },
  assertion_audience: {
    what: "The aud of the assertion was not this server.",
    remedy: "Set aud only to the issuer of this server.",
  },
  assertion_expired: {
    what: "The assertion had expired, or had no exp.",
    remedy: "Create an assertion for each request, and check the clock of the application.",
  },
  assertion_lifetime: {
    what: "The assertion was valid for more than 5 minutes, or not valid yet.",
    remedy: "Set exp to one minute from now, and check the clock of the application.",
  },
  assertion_jti: {
    what: "The assertion had no jti, or a jti of more than 255 characters.",
    remedy: "Set jti to a random value, such as a UUID.",
  },
  assertion_reused: {
    what: "The assertion had already been used.",
    remedy: "Create an assertion with a new jti for each request, including retries.",
  },
  secret_wrong: {
    what: "The client_secret was wrong.",
    remedy:
      "Send one of the secrets that are listed above. The secret in the request was removed, is mistyped, or belongs to another application.",
  },
  secret_unexpected: {
    what: "A client_secret was sent, but this application has no secret.",
    remedy: "Do not send client_secret. A public application uses PKCE instead.",
  },
  code_unknown: {
    what: "The authorization code does not exist.",
    remedy:
      "Send the authorization code from the redirect, and decode its URL encoding exactly once. Authorization codes are removed one day after they expire.",
  },
  code_foreign: {
    what: "The authorization code was issued to another application.",
    remedy: "Use the same client_id at /oauth/authorize and at /oauth/token.",
  },
  code_expired: {
    what: "The authorization code had expired.",
    remedy: "Exchange each authorization code immediately. Authorization codes expire after a few minutes.",
  },
  code_replayed: {
    what: "The authorization code had already been used.",
    remedy:
      "Exchange each authorization code once. Check whether the application repeats the request, or loads the callback page twice.",
  },
  code_replayed_late: {
    what: "The authorization code was used a second time, so the tokens that were issued for the code were revoked.",
    remedy:
      "Exchange each authorization code once, and keep authorization codes out of logs and the browser history.",
  },
  code_lost_race: {
    what: "Two requests sent the authorization code at the same time.",
    remedy: "Exchange each authorization code once. Only one of the two requests received tokens.",
  },
  code_redirect_uri_differs: {
    what: "The redirect_uri of the token request differs from the redirect_uri of the authorization request.",
    remedy: "Send the same redirect_uri to /oauth/authorize and to /oauth/token, including the port.",
  },
  code_resource_differs: {
    what: "The resource of the token request differs from the resource of the authorization request.",
    remedy: "Send the same resource to /oauth/authorize and to /oauth/token.",
  },
  code_redirect_uri_insecure: {
    what: "The authorization code was sent to an http redirect URI, but this server is served over https.",
    remedy: "Register an https redirect URI and use it in the authorization request.",
  },
  code_scope_gone: {
    what: "A scope of the authorization code was removed from the application after the code was issued.",
    remedy: "Start a new authorization request with scopes that the application has.",
  },
  code_verifier_missing: { what: "No code_verifier was sent.", remedy: PKCE },
  code_verifier_wrong: { what: "The code_verifier does not match the code_challenge.", remedy: PKCE },
  code_verifier_rejected: {
    what: "The code_verifier was malformed.",
    remedy: "Use 43 to 128 letters, digits and -._~ (RFC 7636).",
  },
  code_proof_key_differs: {
    what: "The key of the DPoP proof differs from the key in the authorization request.",
    remedy: "Use the key of dpop_jkt for the DPoP proof, and store the key with the authorization request.",
  },
  refresh_proof_missing: {
    what: "The grant is bound to a key, but the refresh request had no DPoP proof.",
    remedy:
      "Send a DPoP proof with each refresh request of a grant whose first token request had a DPoP proof.",
  },
  refresh_proof_key_differs: {
    what: "The key of the DPoP proof differs from the key of the refresh token.",
    remedy: "A public application must store its key together with its refresh token.",
  },
  dpop_required: {
    what: "This application requires DPoP, but the request had no DPoP proof.",
    remedy: "Send a DPoP proof, or change the options of this application.",
  },
  code_user_blocked: { what: "The user who allowed access is blocked.", remedy: "No action is needed." },
  code_missing: {
    what: "No authorization code was sent.",
    remedy: "Send the authorization code from the redirect in the parameter code.",
  },
  redirect_uri_missing: {
    what: "No redirect_uri was sent.",
    remedy: "Send the redirect_uri that you sent to /oauth/authorize.",
  },
  refresh_unknown: {
    what: "The refresh token does not exist.",
    remedy: "Store the complete refresh token of each response. Inactive tokens are removed after a week.",
  },
  refresh_client_missing: {
    what: "The refresh request has no client_id.",
    remedy: "Send client_id, and client_secret for a confidential application, with each refresh request.",
  },
  refresh_foreign: {
    what: "The refresh token belongs to another application.",
    remedy: "Refresh with the client_id that received the token.",
  },
  refresh_revoked: { what: "The grant has been revoked.", remedy: START_AGAIN },
  refresh_reused: {
    what: "The refresh token had already been used a few seconds before the request.",
    remedy:
      "Refresh the token from only one worker at a time, and store the new refresh token before you use it.",
  },
  refresh_reused_late: {
    what: "An old refresh token was used again, so the grant of the token was revoked.",
    remedy: `Replace the stored refresh token after each response. ${START_AGAIN}`,
  },
  refresh_lost_race: {
    what: "Two requests sent the refresh token at the same time. Only one of the two requests received tokens.",
    remedy: "Refresh the token from only one worker at a time.",
  },
  refresh_expired: { what: "The refresh token had expired.", remedy: START_AGAIN },
  refresh_user_blocked: { what: "The user is blocked.", remedy: "No action is needed." },
  refresh_resource_differs: {
    what: "The resource of the refresh request differs from the resource of the grant, or the grant has no resource.",
    remedy: "Send the resource of the authorization request, or omit the parameter.",
  },
  refresh_redirect_uri_missing: {
    what: "No redirect_uri was sent with the refresh request.",
    remedy:
      "This server requires redirect_uri in a refresh request. Send the redirect_uri of the authorization request.",
  },
  refresh_redirect_uri_differs: {
    what: "The redirect_uri of the refresh request differs from the redirect_uri of the authorization request.",
    remedy: "Send the redirect_uri of the authorization request, or omit the parameter.",
  },
  refresh_verifier_wrong: {
    what: "The code_verifier of the refresh request does not match the code_challenge of the authorization request.",
    remedy: "Send the code_verifier of the authorization request, or omit the parameter.",
  },
  refresh_scope_gone: {
    what: "The refresh token has a scope that the instance no longer allows for unregistered clients.",
    remedy: "Start a new authorization request with scopes that the instance allows, such as mcp.",
  },
  refresh_scope_exceeds: {
    what: "The refresh request contains a scope that was not granted.",
    remedy: "Omit the parameter scope, or send only granted scopes.",
  },
  refresh_token_missing: {
    what: "No refresh_token was sent.",
    remedy: "Send the refresh token of the latest response.",
  },
  device_unknown: {
    what: "The device code does not exist.",
    remedy: "Poll with the device_code, not with the user_code.",
  },
  device_redeemed: {
    what: "The device code had already been used.",
    remedy: "Stop polling when you have received tokens.",
  },
  device_withdrawn: {
    what: "The approval was revoked before the device requested its tokens.",
    remedy: "Stop polling and request a new device code.",
  },
  device_foreign: {
    what: "The device code was issued to another application.",
    remedy: "Poll with the client_id that requested the device code.",
  },
  device_lost_race: {
    what: "The device code was redeemed by another poll.",
    remedy: "Poll from one process only.",
  },
  device_expired_token: {
    what: "The device code expired before the user decided.",
    remedy: "Stop polling and request a new device code.",
  },
  device_access_denied: {
    what: "The user denied access.",
    remedy: "Stop polling, and tell the user that access was denied.",
  },
  device_code_missing: {
    what: "No device_code was sent.",
    remedy: "Send the device_code of the device authorization response.",
  },
  device_grant_off: {
    what: "The device grant is disabled on this server.",
    remedy: "An administrator can enable the device grant.",
  },
  scope_not_allowed: {
    what: "The request contains a scope that this application does not have.",
    remedy: "Request fewer scopes, or add the scope to the application. The default scope is api.",
  },
  password_grant_off: {
    what: "The password grant is disabled for this application.",
    remedy: "Use the authorization code grant, or allow the password grant for the application.",
  },
  password_wrong: {
    what: "The username or password was wrong, or the user has two-factor authentication.",
    remedy: "Ask the user for the password again, or use the authorization code grant.",
  },
  authorize_redirect_uri_unknown: {
    what: "The redirect_uri is not registered.",
    remedy:
      "Open the link of the authorization request while you are signed in here. The error page then shows how the redirect URIs differ.",
  },
  authorize_redirect_uri_insecure: {
    what: "The redirect_uri uses http, but this server is served over https.",
    remedy: "Register an https redirect URI and use it in the authorization request.",
  },
  authorize_invalid_request_uri: {
    what: "The pushed authorization request had expired or was already used.",
    remedy:
      "Push each authorization request to /oauth/par immediately before you open the browser, once for each sign-in.",
  },
  authorize_invalid_request: {
    what: "The authorization request was malformed.",
    remedy: "See error_description in the response at the redirect URI. Often, code_challenge is missing.",
  },
  authorize_unsupported_response_type: {
    what: "The response_type was not code.",
    remedy: "Send response_type=code. The implicit flow is not supported.",
  },
  authorize_invalid_scope: {
    what: "The authorization request contains a scope that this application does not have.",
    remedy: "Request fewer scopes, or add the scope to the application.",
  },
  authorize_invalid_target: {
    what: "The authorization request contains a resource that is not a protected resource of this server.",
    remedy: "Send a resource of /.well-known/oauth-protected-resource, or omit the parameter.",
  },
  authorize_request_not_supported: {
    what: "The authorization request was sent as a request object.",
    remedy: "Send each parameter of the request directly, without request or request_uri.",
  },
  authorize_request_uri_not_supported: {
    what: "The authorization request used request_uri.",
    remedy: "Send each parameter of the request directly, without request or request_uri.",
  },
};

export const isFailureReason = (reason: string): reason is FailureReason => Object.hasOwn(FAILURES, reason);
