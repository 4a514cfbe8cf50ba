import { DEFAULT_SCOPE, isScope, parseScope, type Scope } from "@/access/scopes";
import { isPlainHttp, redirectUriMatches } from "../applications/redirect-uri";
import { type Application, mustUsePkce } from "../applications/rules";
import { isThumbprint } from "../dpop/rules";
import { promptsOf, responseModeOf } from "./authorization-request";
import { CLAIMS_BYTES_MAX } from "./requested-claims";
import type { AuthorizationContext, AuthorizationErrorCode, AuthorizationRequest } from "./rules";

/** An error that the server sends to the redirect URI of the client. */
export type RedirectError<Code = AuthorizationErrorCode> = Readonly<{
  kind: "redirect_error";
  code: Code;
  description: string;
}>;

/** The errors of authorization requests that do not depend on the user. */
type RequestErrorCode = Exclude<
  AuthorizationErrorCode,
  "access_denied" | "login_required" | "consent_required" | "unmet_authentication_requirements"
>;

export const redirectError = <Code extends AuthorizationErrorCode>(
  code: Code,
  description: string,
): RedirectError<Code> => ({ kind: "redirect_error", code, description });

export const INVALID_SCOPE = redirectError(
  "invalid_scope",
  "A requested scope is unknown or not registered for this application.",
);

export const INVALID_TARGET = redirectError(
  "invalid_target",
  "The resource is not a protected resource of this server.",
);

export const REQUEST_USED = redirectError(
  "invalid_request_uri",
  "The pushed authorization request was already used.",
);

/**
 * Returns the error of an authorization request that must be pushed but is not, or that refers to an invalid
 * pushed authorization request; null for other requests.
 */
export function pushRefusal(
  { pushed }: AuthorizationRequest,
  application: Application,
  isTrial: boolean,
): RedirectError | null {
  if (pushed?.state === "expired")
    return redirectError("invalid_request_uri", "The pushed authorization request has expired.");
  if (pushed?.state === "used") return REQUEST_USED;
  return pushed === undefined && application.requiresPushedRequests && !isTrial
    ? redirectError("invalid_request", "This application must push its authorization requests (RFC 9126).")
    : null;
}

/**
 * Returns the error of a request that a client pushes; null for a valid request (RFC 9126 §2.1, §2.3). The
 * server checks the pushed authorization request again when a browser opens the request.
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
    return redirectError("invalid_request", "A pushed authorization request must not contain request_uri.");
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

/**
 * Returns the first error in the parameters of an authorization request; null for valid parameters. The
 * function does not perform the checks that depend on the user.
 */
export function formRefusal(request: AuthorizationRequest): RedirectError<RequestErrorCode> | null {
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
  if (Buffer.byteLength(parameters.get("claims") ?? "") > CLAIMS_BYTES_MAX)
    return redirectError("invalid_request", `claims must have at most ${CLAIMS_BYTES_MAX} bytes.`);
  if (request.claims === null)
    return redirectError(
      "invalid_request",
      "claims must be a JSON object as defined in OpenID Connect Core 5.5.",
    );
  const jkt = parameters.get("dpop_jkt");
  if (jkt !== undefined && !isThumbprint(jkt))
    return redirectError("invalid_request", "dpop_jkt must be the SHA-256 thumbprint of a key in base64url.");
  return null;
}

/**
 * Returns the error in the PKCE parameters; null for valid parameters (RFC 7636 §4.3). Only S256 is
 * supported.
 */
export function pkceRefusal(
  parameters: ReadonlyMap<string, string>,
  application: Application,
): RedirectError<RequestErrorCode> | null {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  // As in GitLab, `code_challenge_method` is ignored if the request has no `code_challenge`, because some
  // clients always send `code_challenge_method`.
  if (challenge === undefined)
    return mustUsePkce(application)
      ? redirectError("invalid_request", "This application must send code_challenge (PKCE).")
      : null;
  if (method !== "S256") return redirectError("invalid_request", "code_challenge_method must be S256.");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return redirectError("invalid_request", "code_challenge must be 43 characters of base64url.");
  return null;
}

/**
 * Returns the requested scopes, or the default scope if the request has no scope; null when a scope is not
 * registered for the application. The developers of an unregistered client do not know which scopes the
 * instance allows. An unregistered client therefore gets the requested scopes that the instance allows.
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
