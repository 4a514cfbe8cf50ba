/**
 * Where to go after sign-in: a path of this site, else the fallback. Refuses other origins in every spelling that
 * a browser would follow there (`//host`, `/\\host`, `https:host`), and what a URL cannot hold unescaped.
 */
export function safeReturnPath(given: string | null | undefined, fallback: string): string {
  if (!given || given.length > 16_384 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given)) return fallback;
  return new URL(given, "http://gatehouse.invalid").host === "gatehouse.invalid" ? given : fallback;
}

/** Why nobody was signed in. `minutes` says when it is worth trying again. */
export type SignInProblem =
  | Readonly<{ problem: "wrong" | "busy" }>
  | Readonly<{ problem: "limit"; minutes: number }>;

/**
 * The address of the sign-in page.
 * @param way.returnTo where to go on afterwards, a path of this site.
 * @param way.again shows the form although somebody is signed in: to prove it anew, or as another person.
 * @param way.loginHint what the form suggests as the login.
 * @param way.problem is what the form says was wrong. None of it is a secret.
 */
export function signInPath(
  way: Readonly<{
    returnTo: string;
    again?: boolean;
    loginHint?: string | undefined;
    problem?: SignInProblem;
  }>,
): string {
  const query = [
    ...(way.problem === undefined ? [] : [`problem=${way.problem.problem}`]),
    ...(way.problem?.problem === "limit" ? [`minutes=${way.problem.minutes}`] : []),
    `return_to=${encodeURIComponent(way.returnTo)}`,
    ...(way.again ? ["again=1"] : []),
    ...(way.loginHint === undefined ? [] : [`login_hint=${encodeURIComponent(way.loginHint)}`]),
  ];
  return `/users/sign_in?${query.join("&")}`;
}

/** What the form says, from the parameters of its address. Anybody can have written that: nothing of it is repeated but a number. */
export function signInProblemText(problem: unknown, minutes: unknown): string | null {
  if (!problem) return null;
  if (problem === "busy") return "Too many people are signing in at this moment. Try again in a few seconds.";
  if (problem !== "limit") return "The name or the password is wrong. Check both and try again.";
  const count = typeof minutes === "string" && /^[1-9]\d{0,3}$/.test(minutes) ? Number(minutes) : 3;
  return `Too many tries. Come back in ${count} ${count === 1 ? "minute" : "minutes"}.`;
}
