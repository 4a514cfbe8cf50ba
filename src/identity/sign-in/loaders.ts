import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { cookieName } from "@/kernel/http/cookie";
import { requireSessionToEnrol } from "../sessions/loaders";
import { sessionCsrfToken } from "../sessions/service";
import { signInPath } from "../sessions/sign-in-path";
import { type PasskeyRequest, requestOptions } from "../two-factor/passkey";
import { twoFactorOf } from "../two-factor/service";
import { passwordCharactersMin } from "../users/rules";
import { signUpIsOpen } from "../users/sign-up";
import { CONFIRM, confirmPurpose } from "./confirm-form";
import { pendingPurpose, pendingSignIn } from "./pending-sign-in";
import { PASSKEY_SIGN_IN } from "./session-form";
import { type SignUpDraft, signUpDraft } from "./sign-up-form";

/** Returns the entered login of a sign-in form that was just refused, or an empty string. */
export async function refusedLogin(): Promise<string> {
  const value = (await cookies()).get(cookieName(systemDeps().config, "login"))?.value ?? "";
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}

/** Returns the available methods of sign-in other than a password. */
export async function loadSignIn(): Promise<Readonly<{ passkey: PasskeyRequest; signUpOpen: boolean }>> {
  const deps = systemDeps();
  return { passkey: await requestOptions(deps, PASSKEY_SIGN_IN, null), signUpOpen: await signUpIsOpen(deps) };
}

/** The user of a pending sign-in and the second factors of this user. */
export type SecondFactor = Readonly<{
  username: string;
  totp: boolean;
  /** The options for a passkey; null for a user without a passkey. */
  passkey: PasskeyRequest | null;
}>;

/**
 * Returns the sign-in that waits for its second factor; without a pending sign-in, redirects to the sign-in
 * page.
 */
export async function loadSecondFactor(returnTo: string): Promise<SecondFactor> {
  const deps = systemDeps();
  const pending = await pendingSignIn(deps, (await headers()).get("cookie"));
  if (pending === null) redirect(signInPath({ returnTo, again: true, problem: { problem: "expired" } }));
  const { totp, passkeys } = await twoFactorOf(deps, pending.user);
  const passkey =
    passkeys.length === 0 ? null : await requestOptions(deps, pendingPurpose(pending), pending.user);
  return { username: pending.user.username, totp, passkey };
}

/**
 * Returns the data of the re-authentication page; `factor` is null for a user who re-authenticates by
 * password.
 */
export async function loadConfirm(
  returnTo: string,
): Promise<Readonly<{ username: string; csrfToken: string; factor: Omit<SecondFactor, "username"> | null }>> {
  const deps = systemDeps();
  // A sign-in also counts as a re-authentication, and redirects to the same page.
  const session = await requireSessionToEnrol(returnTo);
  const { user } = session;
  const proof = { username: user.username, csrfToken: sessionCsrfToken(deps, session, CONFIRM) };
  if (!user.twoFactor) return { ...proof, factor: null };
  const { totp, passkeys } = await twoFactorOf(deps, user);
  const passkey = passkeys.length === 0 ? null : await requestOptions(deps, confirmPurpose(session), user);
  return { ...proof, factor: { totp, passkey } };
}

/** Returns the data of the registration form; null while registration is closed. */
export async function loadSignUp(): Promise<Readonly<{
  draft: SignUpDraft | null;
  passwordCharactersMin: number;
}> | null> {
  const deps = systemDeps();
  const settings = await readSettings(deps);
  if (!settings.signup_enabled) return null;
  return {
    draft: signUpDraft(deps, (await headers()).get("cookie")),
    passwordCharactersMin: passwordCharactersMin(settings, false),
  };
}
