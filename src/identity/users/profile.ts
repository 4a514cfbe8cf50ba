import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import { PasswordsBusy, passwordDigest } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { endOthers } from "../sessions/own-sessions";
import { isRecentlyAuthenticated } from "../sessions/rules";
import type { Session } from "../sessions/service";
import { lockLiveSession } from "../sessions/sessions-ended";
import { announceAccessEnded } from "./access-ended";
import { cancelPendingEmail } from "./email-confirmation";
import { newPasswordProblem } from "./new-password";
import { isPassword } from "./no-password";
import { deviceOfSession, tryPassword } from "./password-attempt";
import { passwordStamp } from "./password-stamp";
import { nameProblem } from "./rules";
import { type UserWithStamp, withCheckedPassword } from "./service";
import * as store from "./store";
import { passwordDigestOf } from "./store.sql";

/** The field errors, as sentences. An empty object means that the change was saved. */
export type FieldProblems<Field extends string> = Readonly<Partial<Record<Field, string>>>;

export async function changeProfile(
  deps: Deps,
  user: User,
  changes: Readonly<{ name: string; privateProfile: boolean }>,
): Promise<FieldProblems<"name">> {
  const profile = { ...changes, name: changes.name.trim() };
  const problem = profile.name === user.name ? null : nameProblem(profile.name);
  if (problem !== null) return { name: `The name ${problem}.` };
  await deps.transaction(async (within) => {
    const before = await store.findProfile(within.reads, user.id);
    const fields = [
      ...(profile.name === user.name ? [] : (["name"] as const)),
      ...(profile.privateProfile === before?.privateProfile ? [] : (["private_profile"] as const)),
    ];
    if (fields.length === 0) return;
    await store.setProfile(within.db, user.id, profile);
    await audit.record(within, "profile.changed", { fields }, { userId: user.id });
  });
  return {};
}

/** The current password of the user, and the IP address of the request. */
export type PasswordConfirmation = Readonly<{ currentPassword: string; ipAddress: string }>;

/**
 * Changes the password of the user.
 * @param changes.revokesAccess whether another person may know the old password. If `revokesAccess` is true,
 * the function ends all other sessions, revokes all grants and personal access tokens, and cancels the
 * pending change of a confirmed e-mail address.
 */
export async function changePassword(
  deps: Deps,
  session: Session,
  changes: PasswordConfirmation & Readonly<{ password: string; again: string; revokesAccess: boolean }>,
): Promise<FieldProblems<"password" | "again" | "currentPassword">> {
  const { user } = session;
  const problem = await newPasswordProblem(deps, changes.password, user);
  if (problem !== null) return { password: `The new password ${problem}.` };
  if (changes.password !== changes.again)
    return { again: "The passwords do not match. Enter the new password again." };
  const confirmed = await confirmByPassword(deps, session, changes);
  if ("refused" in confirmed) return { currentPassword: confirmed.refused };
  const digest = await passwordDigest(deps.passwordCost, changes.password).catch(nullIfBusy);
  if (digest === null) return { password: BUSY };
  const isChanged = await withConfirmation(deps, confirmed, async (within) => {
    await store.setPassword(within.db, user.id, digest);
    if (changes.revokesAccess) {
      await endOthers(within, session);
      await cancelPendingEmail(within, user.id);
      await announceAccessEnded(within, { userId: user.id, because: "password_changed", actorId: null });
    }
    await audit.record(within, "profile.changed", { fields: ["password"] }, { userId: user.id });
    return true;
  });
  return isChanged === null ? { currentPassword: lostConfirmation(confirmed) } : {};
}

/**
 * Returns whether a user has a password. A user whose account was created by a sign-in with a provider has no
 * password at first.
 */
export async function hasPassword(deps: Pick<Deps, "reads">, user: Pick<User, "id">): Promise<boolean> {
  const digest = await passwordDigestOf(deps.reads, user.id);
  return digest !== null && isPassword(digest);
}

/**
 * A change that the user has confirmed by the current password, or by a recent authentication in this session
 * if the user has no password. In the second case, `sessionId` is the opaque id of the session.
 */
export type Confirmation = Readonly<{ checked: UserWithStamp; sessionId: string | null }>;

/**
 * Checks the current password of a user. A user without a password must have a recent authentication instead.
 * @returns the confirmation, or the reason why the current password is refused, as a sentence.
 */
export async function confirmByPassword(
  deps: Deps,
  session: Session,
  { currentPassword, ipAddress }: PasswordConfirmation,
): Promise<Confirmation | { readonly refused: string }> {
  const row = await store.findWithPassword(deps.db, session.user.id);
  if (row === null || !isPassword(row.passwordDigest)) {
    if (row === null || !isRecentlyAuthenticated(session.signedInAt, deps.clock()))
      return { refused: TOO_LONG_AGO };
    const checked = { user: row.user, passwordStamp: passwordStamp(row.passwordDigest) };
    return { checked, sessionId: session.id };
  }
  const attempt = {
    login: session.user.username,
    password: currentPassword,
    ipAddress,
    way: "sign_in",
    devices: [deviceOfSession(session)],
  } as const;
  const outcome = await tryPassword(deps, await readSettings(deps), attempt).catch(nullIfBusy);
  if (outcome === null) return { refused: BUSY };
  if ("user" in outcome) return { checked: outcome, sessionId: null };
  if (outcome.refused === "wrong") return { refused: WRONG };
  const minutes = Math.ceil(outcome.retryAfterSeconds / 60);
  const refused = `Too many wrong passwords. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return { refused };
}

/**
 * Runs a database write that a user has confirmed. If the password was changed or the session of a user
 * without a password has ended after the confirmation, the function returns null and writes nothing.
 */
export const withConfirmation = <Result>(
  deps: Deps,
  { checked, sessionId }: Confirmation,
  write: (within: Deps) => Promise<Result>,
): Promise<Result | null> =>
  withCheckedPassword(deps, checked, async (within) =>
    sessionId !== null && (await lockLiveSession(within, sessionId)) === null ? null : write(within),
  );

/** Returns the reason why a confirmation no longer applies, as a sentence. */
export const lostConfirmation = ({ sessionId }: Confirmation): string =>
  sessionId === null ? WRONG : TOO_LONG_AGO;

/** The reason for a wrong password, and for a password that was changed during the request. */
const WRONG = "This is not your current password. Your changes were not saved.";
const TOO_LONG_AGO = "Your last sign-in is too long ago. Reload the page and confirm that it is you.";
const BUSY = "The server is busy. Try again in a few seconds.";

const nullIfBusy = (cause: unknown): null => {
  if (cause instanceof PasswordsBusy) return null;
  throw cause;
};
