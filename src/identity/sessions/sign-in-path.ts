/**
 * Where to go after sign-in: a path of this site, else the fallback. Refuses other origins in every spelling that
 * a browser would follow there (`//host`, `/\\host`, `https:host`), and what a URL cannot hold unescaped.
 */
export function safeReturnPath(given: string | null | undefined, fallback: string): string {
  if (!given || given.length > 16_384 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given)) return fallback;
  return new URL(given, "http://gatehouse.invalid").host === "gatehouse.invalid" ? given : fallback;
}

/** Why a form was refused. `minutes` says when it is worth trying again. */
export type SignInProblem =
  | Readonly<{ problem: "wrong" | "busy" | "expired" | "passkey" }>
  | Readonly<{ problem: "limit"; minutes: number }>;

export const limitProblem = (retryAfterSeconds: number): SignInProblem => ({
  problem: "limit",
  minutes: Math.ceil(retryAfterSeconds / 60),
});

/** Where a form of sign-in is, and what it needs to know. None of it is a secret. */
type Way = Readonly<{
  /** Where to go on afterwards, a path of this site. */
  returnTo: string;
  /** What the form says was wrong. */
  problem?: SignInProblem | undefined;
}>;

function formPath(path: string, way: Way, more: readonly string[] = []): string {
  const query = [
    ...(way.problem === undefined ? [] : [`problem=${way.problem.problem}`]),
    ...(way.problem?.problem === "limit" ? [`minutes=${way.problem.minutes}`] : []),
    `return_to=${encodeURIComponent(way.returnTo)}`,
    ...more,
  ];
  return `${path}?${query.join("&")}`;
}

/**
 * The address of the sign-in page.
 * @param way.again shows the form although somebody is signed in: to prove it anew, or as another person.
 * @param way.loginHint what the form suggests as the login.
 */
export const signInPath = (
  way: Way & Readonly<{ again?: boolean; loginHint?: string | undefined }>,
): string =>
  formPath("/users/sign_in", way, [
    ...(way.again ? ["again=1"] : []),
    ...(way.loginHint === undefined ? [] : [`login_hint=${encodeURIComponent(way.loginHint)}`]),
  ]);

/** Where the second factor is asked for, after a right password. */
export const secondFactorPath = (way: Way & Readonly<{ recovery?: boolean }>): string =>
  formPath("/users/two_factor", way, way.recovery ? ["way=recovery"] : []);

/**
 * Where a person who is signed in re-authenticates.
 * @param way.repeat a write was interrupted: the next page says that it has to be sent again.
 */
export const confirmPath = (way: Way & Readonly<{ recovery?: boolean; repeat?: boolean }>): string =>
  formPath("/users/confirm", way, [
    ...(way.recovery ? ["way=recovery"] : []),
    ...(way.repeat ? ["repeat=1"] : []),
  ]);

/** Where anybody registers, when the instance allows it. */
export const signUpPath = (way: Way): string => formPath("/users/sign_up", way);
