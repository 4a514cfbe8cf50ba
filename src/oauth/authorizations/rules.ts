import { DEFAULT_SCOPE, isScope, parseScope, type Scope } from "@/access/scopes";
import { identifiesClient, isPlainHttp, redirectUriMatches } from "../applications/redirect-uri";
import { type Application, isBlocked } from "../applications/rules";
import { isThumbprint } from "../dpop/rules";
import { REQUEST_URI_PREFIX } from "../pushed-requests/rules";
import type { PushedRequest } from "../pushed-requests/service";
import { promptsOf, responseModeOf } from "./authorization-request";

/** An authorization request: its parameters that are not empty, and the names of repeated parameters. */
export type AuthorizationRequest = Readonly<{
  parameters: ReadonlyMap<string, string>;
  repeated: ReadonlySet<string>;
  /** The pushed request from which the parameters come (RFC 9126). */
  pushed?: PushedRequest;
  /** The parameters in the URL of a pushed request. */
  urlParameters?: ReadonlyMap<string, string>;
}>;

/** The largest number of users that the server counts for the consent page. */
export const USERS_COUNTED_MAX = 1000;

/** The number of days after which an authorized application counts as unused. */
export const UNUSED_DAYS = 90;

/** The facts about the browser session that decide an authorization request. */
export type SessionContext = Readonly<{
  secondsSinceSignIn: number;
  /** Whether the user has signed in after this request was first seen. */
  signedInForRequest: boolean;
  /**
   * The user of the `id_token_hint`: the `same` user, an `other` user, `invalid`, or `none` when the request
   * has no hint.
   */
  hint: "same" | "other" | "invalid" | "none";
}>;

/** The facts that decide an authorization request. */
export type AuthorizationContext = Readonly<{
  application: Application | null;
  /** The facts about the session; null when no user is signed in. */
  session: SessionContext | null;
  /** Whether http redirect URIs are allowed on any host. */
  plainHttp: boolean;
  /** The scopes that the user has already allowed this application. */
  consented: readonly string[];
  /**
   * Whether the parameter `resource` names a URI that is not a protected resource of this instance (RFC
   * 8707).
   */
  resourceUnknown: boolean;
  /** Whether the request belongs to a trial by the owner of the application. Trials are never pushed. */
  isTrial?: boolean;
}>;

/**
 * The error codes that the server may send to the redirect URI of the client (RFC 6749 §4.1.2.1, OpenID
 * Connect Core §3.1.2.6).
 */
export type AuthorizationErrorCode =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "login_required"
  | "consent_required"
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
  /** The metadata document of a client that nobody registered cannot be read, or is refused. */
  | "client_document"
  | "redirect_uri_missing"
  | "redirect_uri_unknown"
  /** The redirect URI was registered while the instance was served over http. */
  | "redirect_uri_insecure"
  /** The `request_uri` is not a pushed request of this client, or was deleted. */
  | "request_uri_unknown"
  | "repeated";

export type AuthorizationDecision =
  | { readonly kind: "show_error"; readonly problem: PageProblem }
  | { readonly kind: "sign_in"; readonly again: boolean }
  | { readonly kind: "redirect_error"; readonly code: AuthorizationErrorCode; readonly description: string }
  | { readonly kind: "ask_consent"; readonly scopes: readonly Scope[] }
  | { readonly kind: "issue_code"; readonly scopes: readonly Scope[] };

/**
 * Decides an authorization request. The order of the checks matters for security: client, redirect URI, user,
 * and only then errors that are sent to the client (RFC 6749 §4.1.2.1; RFC 9700 §4.11.2).
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
  const prompts = promptsOf(request);
  const silent = prompts.length === 1 && prompts[0] === "none" && !repeated.has("prompt");
  if (context.session === null) return silent ? LOGIN_REQUIRED : { kind: "sign_in", again: false };
  const refusal = pushRefusal(request, application, context.isTrial === true) ?? formRefusal(request);
  if (refusal !== null) return refusal;
  const scopes = requestedScopes(parameters.get("scope"), application);
  if (scopes === null) return INVALID_SCOPE;
  if (context.resourceUnknown) return INVALID_TARGET;
  const pkceError = pkceRefusal(parameters, application);
  if (pkceError !== null) return pkceError;
  const unknown = signInDemand(request, context.session, silent);
  if (unknown !== null) return unknown;
  const missingScopes = scopes.filter((scope) => !context.consented.includes(scope));
  const maySkipIfRegistered = application.confidential
    ? application.trusted || missingScopes.length === 0
    : silent && missingScopes.length === 0 && identifiesClient(redirectUri);
  // The metadata of a client that nobody registered can change after the consent, so users of such a client
  // never skip consent.
  const maySkip = application.registered && maySkipIfRegistered;
  if (maySkip && !prompts.includes("consent") && !prompts.includes("select_account"))
    return { kind: "issue_code", scopes };
  return silent
    ? redirectError("consent_required", "The user must give consent, but prompt=none does not allow it.")
    : { kind: "ask_consent", scopes };
}

/**
 * Returns the decision that requires the user to authenticate again, or null (OpenID Connect Core §3.1.2.1,
 * §3.1.2.3). After a sign-in for this request, no further sign-in is required, which prevents endless loops.
 * If the `id_token_hint` still names another user after this sign-in, the request is refused.
 */
function signInDemand(
  request: AuthorizationRequest,
  session: SessionContext,
  silent: boolean,
): AuthorizationDecision | null {
  if (silent && (session.hint === "other" || session.hint === "invalid")) return LOGIN_REQUIRED;
  if (session.signedInForRequest) return session.hint === "other" ? LOGIN_REQUIRED : null;
  const maxAge = request.parameters.get("max_age");
  const tooOld = maxAge !== undefined && session.secondsSinceSignIn > Number(maxAge);
  const demanded =
    promptsOf(request).includes("login") || tooOld || maxAge === "0" || session.hint === "other";
  if (!demanded) return null;
  return silent ? LOGIN_REQUIRED : { kind: "sign_in", again: true };
}

const showError = (problem: PageProblem): AuthorizationDecision => ({ kind: "show_error", problem });

/** An error that is sent to the client. */
type RedirectError<Code = AuthorizationErrorCode> = Readonly<{
  kind: "redirect_error";
  code: Code;
  description: string;
}>;

/** The errors that do not depend on the user. */
type RequestErrorCode = Exclude<
  AuthorizationErrorCode,
  "access_denied" | "login_required" | "consent_required"
>;

const redirectError = <Code extends AuthorizationErrorCode>(
  code: Code,
  description: string,
): RedirectError<Code> => ({ kind: "redirect_error", code, description });

const INVALID_SCOPE = redirectError(
  "invalid_scope",
  "A requested scope is unknown or not registered for this application.",
);

const INVALID_TARGET = redirectError(
  "invalid_target",
  "The resource is not a protected resource of this server.",
);

export const REQUEST_USED = redirectError("invalid_request_uri", "The pushed request was already used.");

/**
 * Returns the error of a request that is not pushed but must be, or that refers to an invalid pushed request.
 */
function pushRefusal(
  { pushed }: AuthorizationRequest,
  application: Application,
  isTrial: boolean,
): RedirectError | null {
  if (pushed?.state === "expired")
    return redirectError("invalid_request_uri", "The pushed request has expired.");
  if (pushed?.state === "used") return REQUEST_USED;
  return pushed === undefined && application.requiresPushedRequests && !isTrial
    ? redirectError("invalid_request", "This application must push its authorization requests (RFC 9126).")
    : null;
}

/**
 * Returns the error of a request that a client pushes, or null (RFC 9126 §2.1, §2.3). The request is checked again when
 * a browser opens it.
 */
export function refusedPush(
  request: AuthorizationRequest,
  {
    application,
    plainHttp,
    resourceUnknown,
  }: Pick<AuthorizationContext, "plainHttp" | "resourceUnknown"> & Readonly<{ application: Application }>,
): RedirectError<RequestErrorCode> | null {
  const { parameters } = request;
  const redirectUri = parameters.get("redirect_uri");
  if (parameters.has("request_uri"))
    return redirectError("invalid_request", "A pushed request must not contain request_uri.");
  if (redirectUri === undefined)
    return redirectError("invalid_request", "Missing required parameter: redirect_uri.");
  if (!redirectUriMatches(application.redirectUris, redirectUri) || (!plainHttp && isPlainHttp(redirectUri)))
    return redirectError("invalid_request", "The redirect_uri is not registered, or is not secure.");
  const refusal = formRefusal(request);
  if (refusal !== null) return refusal;
  if (requestedScopes(parameters.get("scope"), application) === null) return INVALID_SCOPE;
  if (resourceUnknown) return INVALID_TARGET;
  return pkceRefusal(parameters, application);
}

const LOGIN_REQUIRED = redirectError("login_required", "The user must sign in.");

/**
 * Returns the first error in the parameters of a request; null for valid parameters. Checks that depend on
 * the user are not part of this function.
 */
function formRefusal(request: AuthorizationRequest): RedirectError<RequestErrorCode> | null {
  const { parameters, repeated } = request;
  const [twice] = repeated;
  if (twice !== undefined)
    return redirectError("invalid_request", `Parameter sent more than once: ${twice}.`);
  if (parameters.has("request"))
    return redirectError("request_not_supported", "Request objects are not supported.");
  if (parameters.has("request_uri"))
    return redirectError("request_uri_not_supported", "Request objects are not supported.");
  const responseType = parameters.get("response_type");
  if (responseType === undefined)
    return redirectError("invalid_request", "Missing required parameter: response_type.");
  if (responseType !== "code")
    return redirectError("unsupported_response_type", "Only response_type=code is supported.");
  const responseMode = parameters.get("response_mode");
  if (responseMode !== undefined && responseMode !== responseModeOf(request))
    return redirectError("invalid_request", "This response_mode is not supported for this request.");
  const prompts = promptsOf(request);
  if (prompts.includes("none") && prompts.length > 1)
    return redirectError("invalid_request", "prompt=none cannot be combined with other values.");
  if (!/^\d{0,9}$/.test(parameters.get("max_age") ?? ""))
    return redirectError("invalid_request", "max_age must be a number of seconds.");
  const jkt = parameters.get("dpop_jkt");
  if (jkt !== undefined && !isThumbprint(jkt))
    return redirectError("invalid_request", "dpop_jkt must be the SHA-256 thumbprint of a key in base64url.");
  return null;
}

/**
 * Returns the error in the PKCE parameters, or null (RFC 7636 §4.3). Only S256 is supported, and public
 * clients must use PKCE (RFC 9700 §2.1.1).
 */
function pkceRefusal(
  parameters: ReadonlyMap<string, string>,
  application: Application,
): RedirectError<RequestErrorCode> | null {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  // If the request has no challenge, the method is ignored, as in GitLab: some clients always send the method.
  if (challenge === undefined)
    return application.confidential && !application.requiresPkce
      ? null
      : redirectError("invalid_request", "This application must send code_challenge (PKCE).");
  if (method !== "S256") return redirectError("invalid_request", "code_challenge_method must be S256.");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return redirectError("invalid_request", "code_challenge must be 43 characters of base64url.");
  return null;
}

/**
 * Returns the requested scopes, or the default scope; null when a scope is not registered for the
 * application. A client that nobody registered cannot know the scopes of the instance, so it gets the
 * requested scopes that the instance allows.
 */
export function requestedScopes(
  text: string | undefined,
  application: Pick<Application, "scopes" | "registered">,
): readonly Scope[] | null {
  const words = text === undefined ? [] : parseScope(text);
  if (words === null) return null;
  const defaultScope = application.registered ? DEFAULT_SCOPE : "mcp";
  if (words.length === 0) return application.scopes.includes(defaultScope) ? [defaultScope] : null;
  const scopes = words.filter(isScope).filter((scope) => application.scopes.includes(scope));
  const isGranted = application.registered ? scopes.length === words.length : scopes.length > 0;
  return isGranted ? scopes : null;
}
