import { wrongSecondFactors } from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import { systemDeps } from "@/kernel/deps/deps";
import { csrfTokenFor, requireConfirmedAuthentication, requireSessionToEnroll } from "../sessions/loaders";
import { enrollmentOfSession, type Session } from "../sessions/service";
import { safeReturnPath } from "../sessions/sign-in-path";
import { type Enrollment, HOME, withReturn } from "../sessions/two-factor-enrollment";
import { recordTwoFactorDemand } from "../users/service";
import { creationOptions, type PasskeyCreation } from "./passkey";
import { codesPurpose } from "./rules";
import { beginTotp, type PendingTotp, type TwoFactor, twoFactorOf } from "./service";

/** The path of the page to which the user returns after the setup; null if no page is given. */
export const returnPathOf = (given: unknown): string | null => {
  const path = safeReturnPath(typeof given === "string" ? given : null, "");
  return path === "" ? null : path;
};

/** The data of the two-factor page: the second factors of the user, and the rules of the instance. */
export type Overview = TwoFactor &
  Readonly<{
    /** Whether the instance requires a second factor. */
    required: boolean;
    enrollment: Enrollment;
    /** The failed second-factor attempts of the last 30 days, newest first. */
    wrongFactors: readonly Readonly<{ at: Date; ipAddress: string }>[];
    now: Date;
  }>;

const NOTICE_DAYS = 30;

/**
 * Returns the data of the two-factor page. The first visit of a user who must set up a second factor starts
 * the grace period.
 */
export async function loadTwoFactor(returnTo: string | null): Promise<Overview> {
  const deps = systemDeps();
  const session = await requireConfirmedAuthentication(withReturn(HOME, returnTo));
  const enrollment = await enrollmentOfSession(deps, session);
  if (enrollment.kind === "tell" || enrollment.kind === "due")
    await recordTwoFactorDemand(deps, session.user);
  const now = deps.clock();
  const wrongFactors = await wrongSecondFactors(
    deps,
    session.user.id,
    new Date(now.getTime() - NOTICE_DAYS * 86_400_000),
  );
  const { require_two_factor_authentication: required } = await readSettings(deps);
  return { ...(await twoFactorOf(deps, session.user)), required, enrollment, wrongFactors, now };
}

/** Returns a new secret for the page that sets up an authenticator app. */
export async function loadPendingTotp(returnTo: string | null): Promise<PendingTotp> {
  const { user } = await requireConfirmedAuthentication(withReturn(`${HOME}/app`, returnTo));
  return beginTotp(systemDeps(), user);
}

/** Returns the options for a new passkey. */
export async function loadPasskeyCreation(returnTo: string | null): Promise<PasskeyCreation> {
  const session = await requireConfirmedAuthentication(withReturn(`${HOME}/passkey`, returnTo));
  return creationOptions(systemDeps(), registrationPurpose(session), session.user);
}

/** The purpose of the challenge for a new passkey. */
export const registrationPurpose = ({ id }: Session): string => `register ${id}`;

/** Recovery codes, which are shown once, and the CSRF token of the form that downloads them. */
export type ShownCodes = Readonly<{ codes: readonly string[]; csrfToken: string }>;

export async function shownCodes(codes: readonly string[]): Promise<ShownCodes> {
  const session = await requireSessionToEnroll(HOME);
  return { codes, csrfToken: csrfTokenFor(session, codesPurpose(codes.join(" "))) };
}
