const PROBLEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    busy: "Too many people are signing in at this moment. Try again in a few seconds.",
    expired: "This sign-in has expired or was already used. Try again.",
    unapproved:
      "Your account waits for the approval of an administrator. You get an e-mail after the decision.",
    passkey: "This passkey was not accepted. Try again, or use another method.",
  }),
);

/**
 * Returns the error text of a form from the query parameters. Anyone can create a URL with these parameters,
 * so the number of minutes is the only value that the text repeats.
 * @param wrong the text for wrong credentials.
 */
export function problemText(problem: unknown, minutes: unknown, wrong: string): string | null {
  if (!problem) return null;
  if (problem !== "limit") return PROBLEMS.get(String(problem)) ?? wrong;
  const count = typeof minutes === "string" && /^[1-9]\d{0,3}$/.test(minutes) ? Number(minutes) : 3;
  return `Too many attempts. Try again in ${count} ${count === 1 ? "minute" : "minutes"}.`;
}

export const WRONG_PASSWORD = "The username or password is wrong. Check both and try again.";
export const WRONG_PASSWORD_ALONE = "The password is wrong. Try again.";
export const WRONG_CODE =
  "This code is wrong or was already used. Wait for the next code, or check the clock of your device.";
export const WRONG_RECOVERY_CODE = "This recovery code is wrong or was already used. Try another one.";
