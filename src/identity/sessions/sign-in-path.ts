import type { StepUpFactor } from "./authentication-methods";

/** The maximum length of a return path, in characters. */
export const RETURN_PATH_LENGTH_MAX = 16_384;

/**
 * Returns the path to which the browser is redirected after sign-in. The result is the given path if the path
 * belongs to this site, and otherwise the fallback. A path that a browser would resolve to another origin
 * (`//host`, `/\\host`, `https:host`) is rejected. A path with characters that a URL must escape is also
 * rejected.
 */
export function safeReturnPath(given: string | null | undefined, fallback: string): string {
  if (!given || given.length > RETURN_PATH_LENGTH_MAX) return fallback;
  if (!/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given)) return fallback;
  return new URL(given, "http://gatehouse.invalid").host === "gatehouse.invalid" ? given : fallback;
}

/**
 * The reasons why a sign-in with another provider failed. `undated` means that the provider does not state
 * when the user authenticated, but the client requires a new sign-in. `enforced` means that the user must
 * sign in with the provider.
 */
export type ProviderProblem =
  | "denied"
  | "unavailable"
  | "invalid"
  | "blocked"
  | "other_provider"
  | "domain"
  | "account_exists"
  | "no_account"
  | "not_linked"
  | "not_recent"
  | "undated"
  | "enforced";

/**
 * The reason why a sign-in form was rejected. `minutes` is the number of minutes until the user may try
 * again, and `provider` is the name of a provider.
 */
export type SignInProblem =
  | Readonly<{ problem: "wrong" | "busy" | "expired" | "passkey" | "unapproved" }>
  | Readonly<{ problem: ProviderProblem; provider: string }>
  | Readonly<{ problem: "limit"; minutes: number }>;

export const limitProblem = (retryAfterSeconds: number): SignInProblem => ({
  problem: "limit",
  minutes: Math.ceil(retryAfterSeconds / 60),
});

/** The query parameters of a sign-in form. The query parameters contain no secret. */
type Way = Readonly<{
  /** The path of this site to which the user returns. */
  returnTo: string;
  /** The error that the form shows. */
  problem?: SignInProblem | undefined;
}>;

function formPath(path: string, way: Way, more: readonly string[] = []): string {
  const query = [
    ...(way.problem === undefined ? [] : [`problem=${way.problem.problem}`]),
    ...(way.problem?.problem === "limit" ? [`minutes=${way.problem.minutes}`] : []),
    ...(way.problem !== undefined && "provider" in way.problem ? [`provider=${way.problem.provider}`] : []),
    `return_to=${encodeURIComponent(way.returnTo)}`,
    ...more,
  ];
  return `${path}?${query.join("&")}`;
}

/**
 * Returns the path of the sign-in page.
 * @param way.again whether to show the form although a user is signed in, so that the user can
 * re-authenticate or use another account.
 * @param way.recent whether the client requires a new sign-in, for which an existing session at another
 * provider is not sufficient.
 * @param way.loginHint the suggested login name.
 * @param way.done the change that the previous page has completed.
 */
export const signInPath = (
  way: Way &
    Readonly<{
      again?: boolean;
      recent?: boolean;
      loginHint?: string | undefined;
      done?: "password_changed" | "waits_for_approval" | "deletion_requested";
    }>,
): string =>
  formPath("/users/sign_in", way, [
    ...(way.again ? ["again=1"] : []),
    ...(way.recent ? ["recent=1"] : []),
    ...(way.loginHint === undefined ? [] : [`login_hint=${encodeURIComponent(way.loginHint)}`]),
    ...(way.done === undefined ? [] : [`done=${way.done}`]),
  ]);

/** Returns the path of the form for the second factor. */
export const secondFactorPath = (way: Way & Readonly<{ recovery?: boolean }>): string =>
  formPath("/users/two_factor", way, way.recovery ? ["way=recovery"] : []);

/**
 * A factor that a client requests in addition to the factors with which the user has already authenticated.
 */
export type RequestedFactor = Readonly<{ factor: StepUpFactor; isRequired: boolean }>;

/**
 * The parameter that marks an authorization request for which the user has declined the requested factor. The
 * value of the parameter is a CSRF token of the session, so that neither a client nor another user can
 * decline the factor for the user.
 */
export const STEP_UP_DECLINED = "step_up_declined";

/**
 * Returns the factor that the query or the form of the re-authentication page requests; null if no factor is
 * requested.
 */
export function requestedFactorIn(read: (name: string) => string | undefined): RequestedFactor | null {
  const factor = read("factor");
  if (factor !== "second_factor" && factor !== "passkey") return null;
  return { factor, isRequired: read("required") === "1" };
}

/** Returns the hidden form fields that send the requested factor again. */
export const requestedFactorFields = (
  requested: RequestedFactor | null | undefined,
): Readonly<Record<string, string>> =>
  requested ? { factor: requested.factor, ...(requested.isRequired ? { required: "1" } : {}) } : {};

/**
 * Returns the path of the re-authentication page.
 * @param way.repeat whether the re-authentication interrupted the submission of a form. If `repeat` is true,
 * the page after the re-authentication asks the user to submit the form again.
 * @param way.requested the factor that a client requests; null if any re-authentication is sufficient.
 */
export const confirmPath = (
  way: Way & Readonly<{ recovery?: boolean; repeat?: boolean; requested?: RequestedFactor | null }>,
): string =>
  formPath("/users/confirm", way, [
    ...Object.entries(requestedFactorFields(way.requested)).map(([name, value]) => `${name}=${value}`),
    ...(way.recovery ? ["way=recovery"] : []),
    ...(way.repeat ? ["repeat=1"] : []),
  ]);

/** The path of the page on which the signed-in user confirms the link to an account at a provider. */
export const LINK_ACCOUNT_PATH = "/users/link_account";

/** Returns the path of the registration page. */
export const signUpPath = (way: Way): string => formPath("/users/sign_up", way);

/**
 * Returns the path of the page that requests a link to reset the password.
 * @param way.sent whether the request was accepted.
 */
export const passwordResetPath = (way: Way & Readonly<{ sent?: boolean }>): string =>
  formPath("/users/password/new", way, way.sent ? ["sent=1"] : []);

/**
 * Returns the path of the page for a user who must confirm the e-mail address before signing in.
 * @param problem the reason why no link was sent: `none` when no e-mail address is pending, `limited` when too many
 * links were sent.
 */
export const checkMailPath = (problem?: "none" | "limited"): string =>
  problem === undefined ? "/users/confirmation" : `/users/confirmation?problem=${problem}`;

/**
 * The path of the page on which the user confirms an e-mail address. The cookie of the page contains the
 * confirmation link.
 */
export const EMAIL_CONFIRMATION_PATH = "/users/confirmation?link=1";
