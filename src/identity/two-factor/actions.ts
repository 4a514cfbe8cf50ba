"use server";

import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { PasswordsBusy } from "@/kernel/crypto/password";
import { systemDeps } from "@/kernel/deps/deps";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address";
import { setFlash } from "@/ui/appearance/flash";
import { requireConfirmedAuthentication } from "../sessions/loaders";
import { endOtherSessions } from "../sessions/own-sessions";
import type { Session } from "../sessions/service";
import { HOME, withReturn } from "../sessions/two-factor-enrollment";
import { deviceOfSession } from "../users/password-attempt";
import { registrationPurpose, returnPathOf, type ShownCodes, shownCodes } from "./loaders";
import * as twoFactor from "./service";

/** The state of the authenticator app setup page after a submission. */
export type TotpState =
  | Readonly<{ kind: "pending"; pending: twoFactor.PendingTotp; problem: string | null }>
  | Readonly<{ kind: "codes"; shown: ShownCodes }>;

export async function enrollTotp(_before: TotpState, form: FormData): Promise<TotpState> {
  const returnTo = returnPathOf(form.get("return_to"));
  const session = await requireConfirmedAuthentication(withReturn(`${HOME}/app`, returnTo));
  const { user } = session;
  const sealed = textOf(form, "sealed");
  const outcome = await twoFactor.enrollTotp(systemDeps(), user, sealed, textOf(form, "code"));
  if (typeof outcome !== "string")
    return enrolled(session, outcome, "The authenticator app is set up.", returnTo);
  const problem =
    outcome === "wrong"
      ? "This code is wrong. Enter the current code of the app. If this happens again, check the clock of your device."
      : "The QR code has expired. Remove the old entry from the app and scan the new QR code.";
  return { kind: "pending", pending: twoFactor.continueTotp(systemDeps(), user, sealed), problem };
}

/** The state of the page that adds a passkey, after a submission. */
export type PasskeyState =
  | Readonly<{ kind: "asking"; problem: string | null }>
  | Readonly<{ kind: "codes"; shown: ShownCodes }>;

const PASSKEY_PROBLEMS = {
  expired: "The request has expired. Reload the page and try again.",
  wrong: "This passkey was not accepted. Reload the page and try again.",
  taken:
    "This passkey cannot be added, because it is already registered or you have too many passkeys. Use another device, or remove a passkey first.",
} as const;

export async function addPasskey(_before: PasskeyState, form: FormData): Promise<PasskeyState> {
  const returnTo = returnPathOf(form.get("return_to"));
  const session = await requireConfirmedAuthentication(withReturn(`${HOME}/passkey`, returnTo));
  const credential = { text: textOf(form, "credential"), name: textOf(form, "name") };
  const purpose = registrationPurpose(session);
  const outcome = await twoFactor.addPasskey(systemDeps(), session.user, { ...credential, purpose });
  if (typeof outcome === "string") return { kind: "asking", problem: PASSKEY_PROBLEMS[outcome] };
  return enrolled(session, outcome, "The passkey is added.", returnTo);
}

/**
 * Completes the setup of a second factor. After the setup of the first second factor, the function returns
 * the new recovery codes and ends the sessions that were opened by password alone. After the setup of an
 * additional second factor, the function redirects to the overview with a notice.
 */
async function enrolled(
  session: Session,
  { codes }: twoFactor.EnrolledFactor,
  done: string,
  returnTo: string | null,
): Promise<Readonly<{ kind: "codes"; shown: ShownCodes }>> {
  if (codes !== null) await endOtherSessions(systemDeps(), session);
  if (codes !== null) return { kind: "codes", shown: await shownCodes(codes) };
  await setFlash(done);
  redirect(withReturn(HOME, returnTo));
}

/** Creates new recovery codes, and returns them so that the page can show them once. */
export async function renewRecoveryCodes(): Promise<ShownCodes | null> {
  const { user } = await requireConfirmedAuthentication(HOME);
  const codes = await twoFactor.renewRecoveryCodes(systemDeps(), user);
  return codes === null ? redirect(HOME) : shownCodes(codes);
}

export async function removePasskey(form: FormData): Promise<void> {
  const { user } = await requireConfirmedAuthentication(HOME);
  const id = Number(form.get("id"));
  const outcome =
    Number.isSafeInteger(id) && id > 0 && id < 2 ** 31
      ? await twoFactor.removePasskey(systemDeps(), user, id)
      : null;
  if (outcome === "last")
    await setFlash("This is your only second factor. Turn off two-factor authentication instead.");
  else if (outcome !== null) await setFlash(`The passkey ${outcome.name} is removed.`);
  redirect(HOME);
}

/** Returns the error of the password; null before the first submission. */
export async function turnOff(_before: string | null, form: FormData): Promise<string | null> {
  const session = await requireConfirmedAuthentication(HOME);
  const devices = [deviceOfSession(session)];
  const ipAddress = (await headers()).get(CLIENT_IP_HEADER) ?? "unknown";
  const outcome = await attempt(() =>
    twoFactor.turnOff(systemDeps(), session.user, { password: textOf(form, "password"), ipAddress, devices }),
  );
  if (outcome === "off") {
    await setFlash("Two-factor authentication is off.");
    redirect(HOME);
  }
  if (outcome === "busy") return "Too many people are signing in at this moment. Try again in a few seconds.";
  if (outcome === "wrong") return "The password is wrong. Two-factor authentication is still on.";
  if (outcome === "no_password")
    return "You have no password. Set a password under Settings › Profile first, and then turn off two-factor authentication.";
  if (outcome === "required")
    return "Two-factor authentication is still on, because this server requires it.";
  if ("charactersMin" in outcome)
    return `Without two-factor authentication, your password must have at least ${outcome.charactersMin} characters. Change your password first.`;
  const minutes = Math.ceil(outcome.retryAfterSeconds / 60);
  return `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
}

async function attempt(
  run: () => Promise<twoFactor.TurnOffOutcome>,
): Promise<twoFactor.TurnOffOutcome | "busy"> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof PasswordsBusy) return "busy";
    throw cause;
  }
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};
