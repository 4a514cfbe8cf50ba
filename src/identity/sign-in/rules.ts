import { SCOPES, type Scope } from "@/access/scopes";

/**
 * Where to go after sign-in: a path of this site, else the fallback. Refuses other origins in every spelling that
 * a browser would follow there (`//host`, `/\\host`, `https:host`), and what a URL cannot hold unescaped.
 */
export function safeReturnPath(given: string | null | undefined, fallback: string): string {
  if (!given || given.length > 16_384 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(given)) return fallback;
  return new URL(given, "http://gatehouse.invalid").host === "gatehouse.invalid" ? given : fallback;
}

/** How long a proof of who somebody is stands for what reaches far: wide scopes, and the second factor itself. */
export const PROOF_MINUTES = 10;

/** @param provenAt when the person last proved in this browser who they are. */
export const isRecentProof = (provenAt: Date, now: Date): boolean =>
  now.getTime() - provenAt.getTime() <= PROOF_MINUTES * 60_000;

/**
 * Whether a session has been unused for longer than it may be.
 * @param limitSeconds 0: it never ends by that.
 * @param precisionMs how much later than written down the last use can have been.
 */
export const isIdle = (
  session: Readonly<{ createdAt: Date; provenAt: Date | null; lastSeenAt: Date | null }>,
  limitSeconds: number,
  precisionMs: number,
  now: Date,
): boolean => {
  const times = [session.createdAt, session.provenAt, session.lastSeenAt].map((time) => time?.getTime() ?? 0);
  return limitSeconds > 0 && now.getTime() - Math.max(...times) > limitSeconds * 1000 + precisionMs;
};

/**
 * Whether a person must prove anew who they are before they can allow these scopes: anybody, for the whole account;
 * for anything that writes, whoever has a second factor to do it with (RFC 9470; RFC 8628 §5.4).
 */
export const needsStepUp = (
  scopes: readonly Scope[],
  person: Readonly<{ provenAt: Date; twoFactor: boolean }>,
  now: Date,
): boolean =>
  !isRecentProof(person.provenAt, now) &&
  scopes.some((scope) => {
    const { risk } = SCOPES[scope];
    return risk === "full" || (risk === "write" && person.twoFactor);
  });

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

const PROBLEMS = new Map(
  Object.entries({
    busy: "Too many people are signing in at this moment. Try again in a few seconds.",
    expired: "That took too long, or it was used already. Try again.",
    passkey: "This passkey was not accepted. Try again, or sign in another way.",
  }),
);

/**
 * What a form says, from the parameters of its address. Anybody can have written that: nothing of it is repeated but
 * a number.
 * @param wrong what it says when what was typed is wrong.
 */
export function problemText(problem: unknown, minutes: unknown, wrong: string): string | null {
  if (!problem) return null;
  if (problem !== "limit") return PROBLEMS.get(String(problem)) ?? wrong;
  const count = typeof minutes === "string" && /^[1-9]\d{0,3}$/.test(minutes) ? Number(minutes) : 3;
  return `Too many tries. Come back in ${count} ${count === 1 ? "minute" : "minutes"}.`;
}

export const WRONG_PASSWORD = "The name or the password is wrong. Check both and try again.";
export const WRONG_PASSWORD_ALONE = "The password is wrong. Try again.";
export const WRONG_CODE =
  "This code is wrong, or it has been used. Wait for the next one, or check the clock of your device.";
export const WRONG_RECOVERY_CODE = "This recovery code is wrong, or it has been used. Try another one.";
