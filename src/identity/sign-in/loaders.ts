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

/** What was typed into a sign-in form that was just refused; empty otherwise. */
export async function refusedLogin(): Promise<string> {
  const value = (await cookies()).get(cookieName(systemDeps().config, "login"))?.value ?? "";
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}

/** What the sign-in page offers beside a password. */
export async function loadSignIn(): Promise<Readonly<{ passkey: PasskeyRequest; signUpOpen: boolean }>> {
  const deps = systemDeps();
  return { passkey: await requestOptions(deps, PASSKEY_SIGN_IN, null), signUpOpen: await signUpIsOpen(deps) };
}

/** Whose second factor is asked for, and what they have of it. */
export type SecondFactor = Readonly<{
  username: string;
  totp: boolean;
  /** Null for a person without a passkey. */
  passkey: PasskeyRequest | null;
}>;

/** The sign-in that waits for its second factor; without one the person begins anew. */
export async function loadSecondFactor(returnTo: string): Promise<SecondFactor> {
  const deps = systemDeps();
  const pending = await pendingSignIn(deps, (await headers()).get("cookie"));
  if (pending === null) redirect(signInPath({ returnTo, again: true, problem: { problem: "expired" } }));
  const { totp, passkeys } = await twoFactorOf(deps, pending.user);
  const passkey =
    passkeys.length === 0 ? null : await requestOptions(deps, pendingPurpose(pending), pending.user);
  return { username: pending.user.username, totp, passkey };
}

/** How the person of this session proves anew who they are; `factor` is null for one who does it by password. */
export async function loadConfirm(
  returnTo: string,
): Promise<Readonly<{ username: string; csrfToken: string; factor: Omit<SecondFactor, "username"> | null }>> {
  const deps = systemDeps();
  // Signing in is a proof too, and leads to the same place.
  const session = await requireSessionToEnrol(returnTo);
  const { user } = session;
  const proof = { username: user.username, csrfToken: sessionCsrfToken(deps, session, CONFIRM) };
  if (!user.twoFactor) return { ...proof, factor: null };
  const { totp, passkeys } = await twoFactorOf(deps, user);
  const passkey = passkeys.length === 0 ? null : await requestOptions(deps, confirmPurpose(session), user);
  return { ...proof, factor: { totp, passkey } };
}

/** What the form for a new account shows; null while nobody may register. */
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
