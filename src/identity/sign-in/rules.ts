import type { ProviderProblem } from "../sessions/sign-in-path";

const PROBLEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    busy: "Too many people are signing in at this moment. Try again in a few seconds.",
    expired: "This sign-in has expired or is already complete. Sign in again.",
    unapproved:
      "Your account waits for the approval of an administrator. You get an e-mail after the decision.",
    passkey: "This passkey was not accepted. Try again, or use another method.",
  }),
);

const PROVIDER_PROBLEMS: Readonly<Record<ProviderProblem, (label: string) => string>> = {
  denied: (label) => `The sign-in with ${label} was canceled. Try again, or use another method.`,
  unavailable: (label) => `${label} does not respond. Try again in a moment, or use another method.`,
  invalid: (label) =>
    `The response of ${label} was refused. Try again. If this happens again, contact an administrator.`,
  blocked: () => "Your account is blocked. Contact an administrator.",
  other_provider: () => "Your organization requires you to sign in with another provider.",
  domain: (label) =>
    `Your account at ${label} has no verified e-mail address with an allowed domain. Contact an administrator.`,
  account_exists: (label) =>
    `An account with your e-mail address already exists. Sign in to this account with another method, and then link ${label} under Settings › Profile.`,
  no_account: (label) =>
    `Your account at ${label} is not linked to an account on this server. Sign in with another method and link the account under Settings › Profile, or ask an administrator for an account.`,
  not_linked: (label) =>
    `This account at ${label} is not linked to your account. Sign in at ${label} with the linked account.`,
  not_recent: (label) => `${label} did not ask you to sign in again. Sign out at ${label}, and try again.`,
  undated: (label) =>
    `The application requires you to sign in again, but ${label} does not confirm that you have signed in again. Sign in with your password or a passkey instead.`,
  enforced: (label) =>
    `Your organization requires you to sign in with ${label}. Use the button “Sign in with ${label}”.`,
};

/** Returns the error text for the error code of a failed sign-in with a provider; null for an unknown error code. */
export const providerProblemText = (problem: unknown, label: string): string | null => {
  const entry = Object.entries(PROVIDER_PROBLEMS).find(([name]) => name === problem);
  return entry === undefined ? null : entry[1](label);
};

/** The text that replaces the label of a provider that no longer exists. */
export const UNKNOWN_PROVIDER = "the provider";

/**
 * Returns the error text of a form from the query parameters. Anyone can create a URL with these parameters,
 * so the error text contains no value of the query except the number of minutes.
 * @param wrong the text for wrong credentials.
 */
export function problemText(problem: unknown, minutes: unknown, wrong: string): string | null {
  if (!problem) return null;
  if (problem !== "limit") return PROBLEMS.get(String(problem)) ?? wrong;
  const count = typeof minutes === "string" && /^[1-9]\d{0,3}$/.test(minutes) ? Number(minutes) : 3;
  return `Too many attempts. Try again in ${count} ${count === 1 ? "minute" : "minutes"}.`;
}

export const WRONG_PASSWORD =
  "The username or password is wrong. Check the username and the password, and try again.";
export const WRONG_PASSWORD_ALONE = "The password is wrong. Try again.";
export const WRONG_CODE =
  "This code is wrong or was already used. Wait for the next code, or check the clock of your device.";
export const WRONG_RECOVERY_CODE =
  "This recovery code is wrong or was already used. Try another recovery code.";
