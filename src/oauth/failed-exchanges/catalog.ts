import type { ClientRefusal } from "../applications/service";
import type { AuthorizationErrorCode } from "../authorizations/rules";
import type { CodeRefusal } from "../authorizations/service";
import type { PollRefusal } from "../device-authorizations/polling";
import type { RefreshOutcome } from "../tokens/rotation";

type RefreshRefusal = Extract<RefreshOutcome, { refused: unknown }>["refused"];
/** What a device waits through is no failure. */
type DeviceRefusal = Exclude<PollRefusal["refused"], "authorization_pending" | "slow_down">;
/** Answers that say nothing of the application. */
type UserAnswer = "access_denied" | "login_required" | "consent_required";

/** Why a request of an application failed, as the log names it. */
export type FailureReason =
  | Exclude<ClientRefusal, "client_unknown">
  | `code_${CodeRefusal}`
  | `refresh_${RefreshRefusal}`
  | `device_${DeviceRefusal}`
  | `authorize_${Exclude<AuthorizationErrorCode, UserAnswer> | "redirect_uri_unknown" | "redirect_uri_insecure"}`
  | "code_missing"
  | "code_verifier_rejected"
  | "redirect_uri_missing"
  | "refresh_token_missing"
  | "device_code_missing"
  | "device_grant_off"
  | "scope_not_allowed"
  | "password_grant_off"
  | "password_wrong";

/** What went wrong, and what the developer of the application does about it. Never any part of a secret. */
type Words = Readonly<{ what: string; remedy: string }>;

const START_AGAIN = "Send the person through /oauth/authorize again.";
const PKCE =
  "Keep the code_verifier with the request that its code_challenge was made for, and send it with the code.";

/** One row for each reason that a developer can act on; what is not here is not kept. */
export const FAILURES: Readonly<Record<FailureReason, Words>> = {
  client_blocked: {
    what: "This application is blocked.",
    remedy: "An administrator blocked it. Ask them why.",
  },
  secret_missing: {
    what: "No client_secret was sent.",
    remedy:
      "Send one of its secrets, by HTTP Basic or in the form. An application that cannot keep one is public.",
  },
  secret_wrong: {
    what: "The client_secret was wrong.",
    remedy: "It is none of the live secrets above: removed, mistyped, or of another application.",
  },
  secret_unexpected: {
    what: "A client_secret was sent, and this application has none.",
    remedy: "Leave client_secret out: a public application proves itself by PKCE.",
  },
  code_unknown: {
    what: "The code does not exist.",
    remedy: "Send the code exactly as it came, decoded once. Codes are removed a day after they expire.",
  },
  code_foreign: {
    what: "The code was issued to another application.",
    remedy: "Use the same client_id at /oauth/authorize and at /oauth/token.",
  },
  code_expired: { what: "The code had expired.", remedy: "Exchange it at once: codes live for minutes." },
  code_replayed: {
    what: "The code had already been used.",
    remedy: "Exchange each code once; look for a retry, or a page that is loaded twice.",
  },
  code_replayed_late: {
    what: "The code was used again later, so its tokens were ended.",
    remedy: "Exchange each code once, and keep codes out of logs and browser history.",
  },
  code_lost_race: {
    what: "The code was sent twice at the same moment.",
    remedy: "Exchange each code once; the other request was served.",
  },
  code_redirect_uri_differs: {
    what: "The redirect_uri differs from the one of the authorization request.",
    remedy: "Send the very same redirect_uri to /oauth/authorize and to /oauth/token, port included.",
  },
  code_redirect_uri_insecure: {
    what: "The code was sent to an http redirect URI, and this server is served over https.",
    remedy: "Register an https redirect URI and use it in the authorization request.",
  },
  code_scope_gone: {
    what: "The application has lost a scope of the code since the code was issued.",
    remedy: "Start again, and ask only for scopes that the application has.",
  },
  code_verifier_missing: { what: "No code_verifier was sent.", remedy: PKCE },
  code_verifier_wrong: { what: "The code_verifier does not fit the code_challenge.", remedy: PKCE },
  code_verifier_rejected: {
    what: "The code_verifier was malformed.",
    remedy: "Make it of 43 to 128 letters, digits and -._~ (RFC 7636).",
  },
  code_user_blocked: { what: "The person who allowed it has been blocked.", remedy: "Nothing to do here." },
  code_missing: { what: "No code was sent.", remedy: "Send the code from the redirect as code." },
  redirect_uri_missing: {
    what: "No redirect_uri was sent.",
    remedy: "Send the same redirect_uri as to /oauth/authorize.",
  },
  refresh_unknown: {
    what: "The refresh token does not exist.",
    remedy: "Store the refresh token of each answer, whole. Ended ones are removed after a week.",
  },
  refresh_client_missing: {
    what: "The request named no application.",
    remedy: "Send client_id, and the secret if it has one, with each refresh.",
  },
  refresh_foreign: {
    what: "The refresh token belongs to another application.",
    remedy: "Refresh with the client_id that it was issued to.",
  },
  refresh_revoked: { what: "The grant has been revoked.", remedy: START_AGAIN },
  refresh_reused: {
    what: "The refresh token had just been used.",
    remedy: "Let one worker refresh at a time, and store the new refresh token before using it.",
  },
  refresh_reused_late: {
    what: "An old refresh token was used again, so its grant was ended.",
    remedy: `Store the new refresh token of each answer and forget the old one. ${START_AGAIN}`,
  },
  refresh_lost_race: {
    what: "Two refreshes met, and the other one was served.",
    remedy: "Let one worker refresh at a time.",
  },
  refresh_expired: { what: "The refresh token had expired.", remedy: START_AGAIN },
  refresh_user_blocked: { what: "The person has been blocked.", remedy: "Nothing to do here." },
  refresh_redirect_uri_missing: {
    what: "No redirect_uri was sent with the refresh.",
    remedy: "This server demands it: send that of the authorization request.",
  },
  refresh_redirect_uri_differs: {
    what: "The redirect_uri of the refresh differs from that of the authorization request.",
    remedy: "Send the original one, or none.",
  },
  refresh_verifier_wrong: {
    what: "The code_verifier of the refresh is not that of the authorization request.",
    remedy: "Send the original one, or none.",
  },
  refresh_scope_exceeds: {
    what: "The refresh asked for more than was granted.",
    remedy: "Leave scope out, or name only what was granted.",
  },
  refresh_token_missing: {
    what: "No refresh_token was sent.",
    remedy: "Send the refresh token of the last answer.",
  },
  device_unknown: {
    what: "The device code does not exist.",
    remedy: "Poll with the device_code, not with the code that the person types.",
  },
  device_redeemed: {
    what: "The device code had already been used.",
    remedy: "Stop polling once tokens have come.",
  },
  device_foreign: {
    what: "The device code was issued to another application.",
    remedy: "Poll with the client_id that asked for the code.",
  },
  device_lost_race: {
    what: "The device code was redeemed by another poll.",
    remedy: "Poll from one place only.",
  },
  device_expired_token: {
    what: "The device code expired before the person decided.",
    remedy: "Stop polling and ask for a new code.",
  },
  device_access_denied: { what: "The person denied the device.", remedy: "Stop polling and say so." },
  device_code_missing: { what: "No device_code was sent.", remedy: "Send the device_code of the answer." },
  device_grant_off: {
    what: "Signing in on devices is switched off on this server.",
    remedy: "An administrator can switch it on.",
  },
  scope_not_allowed: {
    what: "A scope was asked for that this application does not have.",
    remedy: "Ask for less, or add the scope to the application. Without scope, api is meant.",
  },
  password_grant_off: {
    what: "The password grant is switched off for this application.",
    remedy: "Use the authorization code, or edit the application to allow it.",
  },
  password_wrong: {
    what: "The name or the password was wrong, or the person has a second factor.",
    remedy: "Ask again, or use the authorization code.",
  },
  authorize_redirect_uri_unknown: {
    what: "The redirect_uri is not registered.",
    remedy: "Open the same link while you are signed in here: it shows what differs.",
  },
  authorize_redirect_uri_insecure: {
    what: "The redirect_uri uses http, and this server is served over https.",
    remedy: "Register an https redirect URI and use it in the authorization request.",
  },
  authorize_invalid_request: {
    what: "The authorization request was malformed.",
    remedy:
      "The error_description at the redirect URI says which parameter; most often code_challenge is missing.",
  },
  authorize_unsupported_response_type: {
    what: "The response_type was not code.",
    remedy: "Send response_type=code; the implicit flow is not offered.",
  },
  authorize_invalid_scope: {
    what: "The authorization request asked for a scope that this application does not have.",
    remedy: "Ask for less, or add the scope to the application.",
  },
  authorize_request_not_supported: {
    what: "The authorization request was sent as a request object.",
    remedy: "Send plain parameters.",
  },
  authorize_request_uri_not_supported: {
    what: "The authorization request was sent by reference.",
    remedy: "Send plain parameters.",
  },
};

export const isFailureReason = (reason: string): reason is FailureReason => Object.hasOwn(FAILURES, reason);
