import { DEFAULT_SCOPE, isScope, parseScope, type Scope } from "@/access/scopes";
import { redirectUriMatches } from "../applications/redirect-uri";
import type { Application } from "../applications/rules";

/** An authorization request as it was sent: its parameters, without empty ones, and the names sent twice. */
export type Ask = Readonly<{ parameters: ReadonlyMap<string, string>; repeated: ReadonlySet<string> }>;

/** What is known when the request is judged. */
export type Known = Readonly<{
  application: Application | null;
  signedIn: boolean;
  /** Scopes that the person has allowed this application before. */
  consented: readonly string[];
}>;

/** Codes that may travel to the client's redirect URI (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
export type AuthorizationErrorCode =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "request_not_supported"
  | "request_uri_not_supported";

/** What keeps a request from being answered by a redirect: nothing may be sent to an unproven URI. */
export type PageProblem =
  | "client_missing"
  | "client_unknown"
  | "redirect_uri_missing"
  | "redirect_uri_unknown"
  | "repeated";

export type Verdict =
  | { readonly kind: "show_error"; readonly problem: PageProblem }
  | { readonly kind: "sign_in" }
  | { readonly kind: "redirect_error"; readonly code: AuthorizationErrorCode; readonly description: string }
  | { readonly kind: "ask_consent"; readonly scopes: readonly Scope[] }
  | { readonly kind: "issue_code"; readonly scopes: readonly Scope[] };

/**
 * Judges an authorization request. The order is the security argument: client, redirect URI, person, and only then
 * what may be answered to the client (RFC 6749 §4.1.2.1; RFC 9700 §4.11.2).
 */
export function decideAuthorization(ask: Ask, known: Known): Verdict {
  const { parameters, repeated } = ask;
  const { application } = known;
  const redirectUri = parameters.get("redirect_uri");
  if (repeated.has("client_id") || repeated.has("redirect_uri")) return showError("repeated");
  if (!parameters.has("client_id")) return showError("client_missing");
  if (application === null) return showError("client_unknown");
  if (redirectUri === undefined) return showError("redirect_uri_missing");
  if (!redirectUriMatches(application.redirectUris, redirectUri)) return showError("redirect_uri_unknown");
  if (!known.signedIn) return { kind: "sign_in" };
  const refusal = formRefusal(ask);
  if (refusal !== null) return refusal;
  const scopes = requestedScopes(parameters.get("scope"), application);
  if (scopes === null)
    return redirectError("invalid_scope", "A requested scope is unknown or not one of this application's.");
  const unproven = pkceRefusal(parameters, application);
  if (unproven !== null) return unproven;
  const unasked = scopes.filter((scope) => !known.consented.includes(scope));
  const skipsConsent = application.confidential && (application.trusted || unasked.length === 0);
  return { kind: skipsConsent ? "issue_code" : "ask_consent", scopes };
}

const showError = (problem: PageProblem): Verdict => ({ kind: "show_error", problem });

const redirectError = (code: AuthorizationErrorCode, description: string): Verdict => ({
  kind: "redirect_error",
  code,
  description,
});

/** What is wrong with the form of the request, whoever asks, in the order of its checks; null when nothing is. */
function formRefusal({ parameters, repeated }: Ask): Verdict | null {
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
  if (responseMode !== undefined && responseMode !== "query")
    return redirectError("invalid_request", "This response_mode is not supported.");
  return null;
}

/** RFC 7636 §4.3, narrowed: S256 alone, and required where there is no secret (RFC 9700 §2.1.1). */
function pkceRefusal(parameters: ReadonlyMap<string, string>, application: Application): Verdict | null {
  const challenge = parameters.get("code_challenge");
  const method = parameters.get("code_challenge_method");
  if (challenge === undefined && method === undefined)
    return application.confidential
      ? null
      : redirectError("invalid_request", "An application without a secret must send code_challenge (PKCE).");
  if (challenge === undefined)
    return redirectError("invalid_request", "Missing required parameter: code_challenge.");
  if (method !== "S256") return redirectError("invalid_request", "code_challenge_method must be S256.");
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return redirectError("invalid_request", "code_challenge must be 43 characters of base64url.");
  return null;
}

/** The scopes asked for, or the default; null when one is not the application's or none is left. */
export function requestedScopes(text: string | undefined, application: Application): readonly Scope[] | null {
  const words = text === undefined ? [] : parseScope(text);
  if (words === null) return null;
  if (words.length === 0) return application.scopes.includes(DEFAULT_SCOPE) ? [DEFAULT_SCOPE] : null;
  const scopes = words.filter(isScope);
  return scopes.length === words.length && scopes.every((scope) => application.scopes.includes(scope))
    ? scopes
    : null;
}

/** A stored authorization code, with what its exchange must match. */
export type IssuedCode = Readonly<{
  applicationId: number;
  redirectUri: string;
  expiresAt: Date;
  usedAt: Date | null;
  userActive: boolean;
  /** Whether the verifier sent fits the challenge: `missing` and `unasked` name the one that stands alone. */
  proof: "none" | "right" | "wrong" | "missing" | "unasked";
}>;

export type CodeAnswer =
  | "claim"
  | "replayed"
  | "replayed_late"
  | "verifier_missing"
  | "foreign"
  | "expired"
  | "redirect_uri_differs"
  | "verifier_wrong"
  | "user_blocked";

/**
 * Judges the exchange of a code (RFC 6749 §4.1.3, RFC 7636 §4.6) by an authenticated client. A late replay by the
 * party that it was issued to ends all that the code produced; anybody else's replay ends nothing.
 */
export function decideExchange(
  code: IssuedCode,
  exchange: Readonly<{
    application: Application;
    redirectUri: string;
    now: Date;
    reuseLeewaySeconds: number;
  }>,
): CodeAnswer {
  const { application, now } = exchange;
  if (code.applicationId !== application.id) return "foreign";
  if (code.usedAt !== null) {
    const late = now.getTime() - code.usedAt.getTime() > exchange.reuseLeewaySeconds * 1000;
    const proven = application.confidential || code.proof === "right";
    return late && proven ? "replayed_late" : "replayed";
  }
  if (now >= code.expiresAt) return "expired";
  if (code.redirectUri !== exchange.redirectUri) return "redirect_uri_differs";
  if (code.proof === "missing") return "verifier_missing";
  if (code.proof === "wrong" || code.proof === "unasked") return "verifier_wrong";
  return code.userActive ? "claim" : "user_blocked";
}
