import type { Scope } from "@/access/scopes";
import type { MissingAuthentication, StepUpFactor } from "@/identity/sessions/authentication-methods";
import { identifiesClient, isPlainHttp, redirectUriMatches } from "../applications/redirect-uri";
import { type Application, isBlocked, skipsConsent } from "../applications/rules";
import { REQUEST_URI_PREFIX } from "../pushed-requests/rules";
import type { PushedRequest } from "../pushed-requests/service";
import { exceedsReturnPath, promptsOf } from "./authorization-request";
import {
  formRefusal,
  INVALID_SCOPE,
  INVALID_TARGET,
  pkceRefusal,
  pushRefusal,
  type RedirectError,
  redirectError,
  requestedScopes,
} from "./request-errors";
import { type RequestedClaims, requiresAcr, withScopesOfClaims } from "./requested-claims";

/** An authorization request: its parameters that are not empty, and the names of repeated parameters. */
export type AuthorizationRequest = Readonly<{
  parameters: ReadonlyMap<string, string>;
  repeated: ReadonlySet<string>;
  /** The parsed parameter `claims`; null if it is malformed. */
  claims: RequestedClaims | null;
  /** The pushed authorization request from which the parameters come (RFC 9126). */
  pushed?: PushedRequest;
  /** The parameters in the URL of a pushed authorization request. */
  urlParameters?: ReadonlyMap<string, string>;
}>;

/** The maximum number of users that the server counts for the consent page. */
export const USERS_COUNTED_MAX = 1000;

/** The number of days after which an authorized application counts as unused. */
export const UNUSED_DAYS = 90;

/** The properties of a browser session that the decision about an authorization request depends on. */
export type SessionContext = Readonly<{
  /** The age of the user's authentication; null if the time of the authentication is unknown. */
  secondsSinceAuthentication: number | null;
  /**
   * Whether the user has signed in after the server first received the authorization request. `undated` means
   * that the user has signed in with an existing session at a sign-in provider: the authentication is older
   * than the authorization request, or its time is unknown.
   */
  signedInForRequest: boolean | "undated";
  /**
   * The user of the `id_token_hint`: `same` for the signed-in user, `other` for another user, `invalid` for
   * an invalid hint, or `none` when the request has no hint. A requested value of the claim `sub` is also a
   * hint.
   */
  hint: "same" | "other" | "invalid" | "none";
  /**
   * The authentication that is still necessary so that the session reaches the requested authentication
   * context class. `declined` means that the user has declined to authenticate with this factor.
   */
  missing: MissingAuthentication | "declined";
}>;

/** The values on which the decision about an authorization request depends. */
export type AuthorizationContext = Readonly<{
  application: Application | null;
  /** The properties of the browser session; null when no user is signed in. */
  session: SessionContext | null;
  /** Whether http redirect URIs are allowed on any host. */
  plainHttp: boolean;
  /** The scopes that the user has already granted to the application on this instance. */
  consented: readonly string[];
  /**
   * Whether the parameter `resource` names a URI that is not a protected resource of this instance (RFC
   * 8707).
   */
  resourceUnknown: boolean;
  /** Whether the parameter `resource` contains the identifier of a resource server. */
  namesResourceServer: boolean;
  /**
   * Whether the request belongs to a trial authorization by the owner of the application. The requests of
   * trial authorizations are never pushed.
   */
  isTrial?: boolean;
}>;

/**
 * The error codes that the server may send to the redirect URI of the client (RFC 6749 §4.1.2.1, OpenID
 * Connect Core §3.1.2.6, OpenID Connect Core Error Code unmet_authentication_requirements 1.0).
 */
export type AuthorizationErrorCode =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "login_required"
  | "consent_required"
  | "unmet_authentication_requirements"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "invalid_request_uri";

/**
 * The errors that the server shows on a page and does not send to the client, because the redirect URI is not
 * verified.
 */
export type PageProblem =
  | "client_missing"
  | "client_unknown"
  | "client_blocked"
  /** The metadata document of an unregistered client cannot be read, or is refused. */
  | "client_document"
  | "redirect_uri_missing"
  | "redirect_uri_unknown"
  /** The redirect URI uses http, and was registered while the instance was served over http. */
  | "redirect_uri_insecure"
  /** The sign-in pages could not return to this authorization request, because its URL is too long. */
  | "too_long"
  /**
   * The `request_uri` does not name a pushed authorization request of this client, or the pushed
   * authorization request was deleted.
   */
  | "request_uri_unknown"
  | "repeated";

export type AuthorizationDecision =
  | { readonly kind: "show_error"; readonly problem: PageProblem }
  /**
   * `recent` is true if the user must authenticate again even at a sign-in provider at which the user is
   * already signed in.
   */
  | { readonly kind: "sign_in"; readonly again: boolean; readonly recent?: boolean }
  /** The user must re-authenticate with the authentication factor `factor`. */
  | { readonly kind: "step_up"; readonly factor: StepUpFactor; readonly isRequired: boolean }
  | { readonly kind: "redirect_error"; readonly code: AuthorizationErrorCode; readonly description: string }
  /**
   * `refusal` is the error that the client gets after the user has allowed access; null if the client gets an
   * authorization code.
   */
  | {
      readonly kind: "ask_consent";
      readonly scopes: readonly Scope[];
      readonly refusal: RedirectError | null;
    }
  | { readonly kind: "issue_code"; readonly scopes: readonly Scope[] };

/**
 * Returns the decision about an authorization request. The order of the checks in this function matters for
 * security. The function checks the client, the redirect URI and the user before it checks for the errors
 * that are sent to the client (RFC 6749 §4.1.2.1; RFC 9700 §4.11.2).
 */
export function decideAuthorization(
  request: AuthorizationRequest,
  context: AuthorizationContext,
): AuthorizationDecision {
  const { parameters, repeated } = request;
  const { application } = context;
  const redirectUri = parameters.get("redirect_uri");
  if (repeated.has("client_id") || repeated.has("redirect_uri")) return showError("repeated");
  if (!parameters.has("client_id")) return showError("client_missing");
  if (application === null) return showError("client_unknown");
  if (isBlocked(application)) return showError("client_blocked");
  if (parameters.get("request_uri")?.startsWith(REQUEST_URI_PREFIX)) return showError("request_uri_unknown");
  if (redirectUri === undefined) return showError("redirect_uri_missing");
  if (!redirectUriMatches(application.redirectUris, redirectUri)) return showError("redirect_uri_unknown");
  if (!context.plainHttp && isPlainHttp(redirectUri)) return showError("redirect_uri_insecure");
  if (exceedsReturnPath(request)) return showError("too_long");
  const prompts = promptsOf(request);
  const silent = prompts.length === 1 && prompts[0] === "none" && !repeated.has("prompt");
  if (context.session === null)
    return silent ? LOGIN_REQUIRED : { kind: "sign_in", again: false, recent: requiresNewSignIn(request) };
  const refusal = pushRefusal(request, application, context.isTrial === true) ?? formRefusal(request);
  if (refusal !== null) return refusal;
  const requested = requestedScopes(parameters.get("scope"), application);
  if (requested === null) return INVALID_SCOPE;
  const scopes = withScopesOfClaims(request, requested, application);
  if (context.resourceUnknown) return INVALID_TARGET;
  const pkceError = pkceRefusal(parameters, application);
  if (pkceError !== null) return pkceError;
  const signIn = signInDemand(request, context.session, silent);
  if (signIn !== null) return signIn;
  // A consent is valid only for this instance. The metadata of an unregistered client can change after the
  // consent.
  const isConsented =
    application.registered &&
    !context.namesResourceServer &&
    scopes.every((scope) => context.consented.includes(scope));
  const reusesConsent = application.confidential || (silent && identifiesClient(redirectUri));
  const maySkip = skipsConsent(application) || (isConsented && reusesConsent);
  // A client that the user has not authorized must not learn which authentication factors the user has.
  if (silent && !maySkip) return CONSENT_REQUIRED;
  const isRequired = requiresAcr(request, scopes, application);
  const { missing } = context.session;
  const demand = stepUpDemand(context.session, { isRequired, silent });
  const laterRefusal =
    demand?.kind === "redirect_error" && missing !== "declined" && !maySkip ? demand : null;
  if (demand !== null && laterRefusal === null) return demand;
  if (maySkip && !prompts.includes("consent") && !prompts.includes("select_account"))
    return { kind: "issue_code", scopes };
  return { kind: "ask_consent", scopes, refusal: laterRefusal };
}

/**
 * Returns the decision that requires the user to authenticate again; null if no new authentication is
 * required (OpenID Connect Core §3.1.2.1, §3.1.2.3). After a sign-in for this authorization request, no other
 * sign-in is required, which prevents endless loops. If the `id_token_hint` still names another user after
 * this sign-in, the request is refused.
 */
function signInDemand(
  request: AuthorizationRequest,
  session: SessionContext,
  silent: boolean,
): AuthorizationDecision | null {
  if (silent && (session.hint === "other" || session.hint === "invalid")) return LOGIN_REQUIRED;
  if (session.signedInForRequest && session.hint === "other") return LOGIN_REQUIRED;
  if (session.signedInForRequest === true) return null;
  const maxAge = request.parameters.get("max_age");
  const age = session.secondsSinceAuthentication;
  const tooOld = maxAge !== undefined && (age === null || age > Number(maxAge));
  const recent = requiresNewSignIn(request) || tooOld;
  if (!recent && session.hint !== "other") return null;
  return silent ? LOGIN_REQUIRED : { kind: "sign_in", again: true, recent };
}

/** Returns whether a request requires a new sign-in even if the user has authenticated very recently. */
const requiresNewSignIn = (request: AuthorizationRequest): boolean =>
  promptsOf(request).includes("login") || Number(request.parameters.get("max_age") ?? "1") === 0;

/**
 * Returns the decision about a session that lacks the requested authentication context class (OpenID Connect
 * Core §5.5.1.1, RFC 9470 §5). Returns null if the authorization request continues although the session lacks
 * this class. The user cannot reach the requested class in three cases: the user lacks the necessary factor,
 * declines the factor, or has signed in for this authorization request without reaching the class. In these
 * cases, an authorization request that requires the class is refused, and any other authorization request
 * continues. An authorization request with `prompt=none` also continues if it does not require the class.
 */
function stepUpDemand(
  { missing, signedInForRequest }: SessionContext,
  { isRequired, silent }: Readonly<{ isRequired: boolean; silent: boolean }>,
): AuthorizationDecision | null {
  if (missing === "nothing") return null;
  if (
    missing === "unattainable" ||
    missing === "declined" ||
    (missing === "sign_in" && signedInForRequest !== false)
  )
    return isRequired ? UNMET : null;
  if (silent) return isRequired ? LOGIN_REQUIRED : null;
  return missing === "sign_in"
    ? { kind: "sign_in", again: true }
    : { kind: "step_up", factor: missing, isRequired };
}

const CONSENT_REQUIRED = redirectError(
  "consent_required",
  "The user must give consent, but prompt=none does not allow the server to ask for consent.",
);

const LOGIN_REQUIRED = redirectError("login_required", "The user must sign in.");

const UNMET = redirectError(
  "unmet_authentication_requirements",
  "The user did not authenticate with the required authentication context class.",
);

const showError = (problem: PageProblem): AuthorizationDecision => ({ kind: "show_error", problem });
