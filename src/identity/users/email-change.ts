import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { readSettings } from "@/instance/settings/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { notify } from "../notices/service";
import { enforcedProviderOf } from "../providers/service";
import type { Session } from "../sessions/service";
import { change, recordChange, type UserRefusal } from "./administration";
import { cancelPendingEmail, reserveConfirmationLink, sendConfirmationLink } from "./email-confirmation";
import * as pendingEmailStore from "./pending-email-store";
import {
  confirmByPassword,
  type FieldProblems,
  lostConfirmation,
  type PasswordConfirmation,
  withConfirmation,
} from "./profile";
import { emailProblem } from "./rules";
import * as store from "./store";

/** An e-mail address that a user requested and that is not confirmed yet. */
export type PendingEmail = Readonly<{ email: string; at: Date }>;

export const pendingEmailOf = async (deps: Deps, user: User): Promise<PendingEmail | null> =>
  (await store.findProfile(deps.reads, user.id))?.pendingEmail ?? null;

/**
 * Stores the new e-mail address of a user until the user confirms it with a link, or an administrator confirms
 * it. Before the confirmation, the new e-mail address is not compared with the e-mail addresses of other
 * users, so the result reveals nothing about other users. The confirmed e-mail address gets a notice.
 */
export async function requestEmailChange(
  deps: Deps,
  session: Session,
  request: PasswordConfirmation & Readonly<{ email: string }>,
): Promise<FieldProblems<"email" | "currentPassword">> {
  const { user } = session;
  const email = request.email.trim();
  const settings = await readSettings(deps);
  if (!settings.user_email_changes) return { email: "Only an administrator can change your e-mail address." };
  const enforced = await enforcedProviderOf(deps, user);
  if (enforced !== null)
    return {
      email: `Your organization signs in with ${enforced.label}. Only an administrator can change your e-mail address.`,
    };
  const problem = emailProblem(email);
  if (problem !== null) return { email: `The e-mail address ${problem}.` };
  if (email === user.email) return { email: "This is already your e-mail address." };
  const confirmed = await confirmByPassword(deps, session, request);
  if ("refused" in confirmed) return { currentPassword: confirmed.refused };
  const seconds = await reserveConfirmationLink(deps, settings, { userId: user.id, email });
  if (seconds !== null) {
    const minutes = Math.ceil(seconds / 60);
    return {
      email: `Too many confirmation links were sent. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    };
  }
  const isStored = await withConfirmation(deps, confirmed, async (within) => {
    await insertPending(within, user, email, null);
    return true;
  });
  return isStored === null ? { currentPassword: lostConfirmation(confirmed) } : {};
}

const insertPending = (deps: Deps, user: User, email: string, actorId: number | null): Promise<void> =>
  deps.transaction(async (within) => {
    await pendingEmailStore.setPendingEmail(within.db, user.id, { email, at: within.clock() });
    await audit.record(within, "email_change.requested", {}, { userId: user.id, actorId });
    await sendConfirmationLink(within, user, email);
  });

/**
 * Stores a pending e-mail address of a user. Unless an administrator makes the change, the caller must check
 * the password of the user, and call this function in `withCheckedPassword`. The confirmed e-mail address gets
 * a notice.
 * @returns the problem of the e-mail address in the words of the API; null on success.
 */
export async function storePendingEmail(
  deps: Deps,
  user: User,
  requested: string,
  administrator: User | null = null,
): Promise<string | null> {
  const email = requested.trim();
  const settings = await readSettings(deps);
  if (administrator === null && !settings.user_email_changes)
    return "can only be changed by an administrator";
  const enforced = administrator === null ? await enforcedProviderOf(deps, user) : null;
  if (enforced !== null)
    return `can only be changed by an administrator, because your organization signs in with ${enforced.label}`;
  const problem = emailProblem(email);
  if (problem !== null) return problem;
  if (user.emailVerified && email.toLowerCase() === user.email.toLowerCase()) return "has already been taken";
  if ((await reserveConfirmationLink(deps, settings, { userId: user.id, email })) !== null)
    return "cannot be confirmed: too many confirmation links were sent";
  await insertPending(deps, user, email, administrator?.id ?? null);
  return null;
}

/**
 * Cancels the pending e-mail change of a user.
 * @returns whether an e-mail change was canceled; false if no e-mail address is pending, or if the user has
 * no confirmed e-mail address.
 */
export const cancelEmailChange = (deps: Deps, user: User): Promise<boolean> =>
  deps.transaction((within) => cancelPendingEmail(within, user.id));

/**
 * Confirms the pending e-mail address of a user, as an administrator.
 * @param email the pending e-mail address that the page showed to the administrator.
 * @returns null on success; `changed` when another e-mail address is pending now; `taken` when another user
 * has the e-mail address.
 */
export async function confirmEmailChange(
  deps: Deps,
  by: User,
  id: number,
  email: string,
): Promise<UserRefusal | "changed" | "taken" | null> {
  try {
    return await change(deps, { by, id, demotes: false }, async (context) => {
      if (!(await pendingEmailStore.confirmPendingEmail(context.deps.db, id, email))) return "changed";
      await recordChange(context, "user.changed", { fields: ["email"] });
      await notify(context.deps, context.target, "email_changed", { facts: [["New e-mail address", email]] });
      return null;
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "taken";
    throw cause;
  }
}
