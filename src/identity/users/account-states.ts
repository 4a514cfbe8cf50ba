import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { sendMail } from "@/instance/mail/service";
import type { Deps } from "@/kernel/deps/deps";
import { lastSignIns } from "../sessions/last-sign-in";
import { endSessionsOf } from "../sessions/service";
import { change, recordChange, type UserRefusal, WAITING_MAX } from "./administration";
import * as deletions from "./deletion-store";
import * as listStore from "./list-store";
import * as store from "./store";
import * as sql from "./store.sql";

/**
 * The number of days without a sign-in after which a user can be deactivated. The number of days is the
 * default value of GitLab.
 */
export const DORMANT_DAYS = 90;

/** The reason why a user cannot be deactivated. */
export type DeactivationRefusal = UserRefusal | "blocked" | "recently_active";

/**
 * Deactivates a user who has not signed in for `DORMANT_DAYS` days, and ends the sessions of the user. Grants
 * and tokens are kept, but do not work until the user is active again. The function does not change a
 * deactivated user.
 * @param by the administrator; null for the command line.
 * @returns null on success.
 */
export const deactivateUser = (
  deps: Deps,
  by: User | null,
  id: number,
): Promise<DeactivationRefusal | null> =>
  change(deps, { by, id, demotes: true }, async (context) => {
    const { deps: within, target } = context;
    if (target.state === "deactivated") return null;
    if (target.state !== "active") return "blocked";
    if (await isRecentlyActive(within, target)) return "recently_active";
    await store.setState(within.db, target.id, "deactivated");
    await endSessionsOf(within, target);
    await recordChange(context, "user.deactivated", {});
    return null;
  });

async function isRecentlyActive(deps: Deps, { id }: User): Promise<boolean> {
  const since = new Date(deps.clock().getTime() - DORMANT_DAYS * 86_400_000);
  const inAuditLog = await audit.lastSignIn(deps, id);
  const inSessions = (await lastSignIns(deps, [id])).get(id);
  return [inAuditLog, inSessions].some((at) => at !== null && at !== undefined && at > since);
}

/**
 * Activates a deactivated user, as an administrator, and cancels the requested deletion of the account, if
 * the deletion has not begun. The function does not change an active user.
 * @param by the administrator; null for the command line.
 * @returns null on success; `blocked` for a user in another state.
 */
export const activateUser = (
  deps: Deps,
  by: User | null,
  id: number,
): Promise<UserRefusal | "blocked" | null> =>
  change(deps, { by, id, demotes: false }, async (context) => {
    const { deps: within, target } = context;
    if (target.state === "active") return null;
    if (!(await store.setState(within.db, target.id, "active", ["deactivated"]))) return "blocked";
    await deletions.cancel(within.db, target.id);
    await recordChange(context, "user.activated", { by: "administrator" });
    return null;
  });

/**
 * Activates a deactivated user who has entered all required factors, in the transaction of `deps`. The
 * function does not change an active user.
 * @returns false for a user who has requested the deletion of the account and therefore stays deactivated.
 */
export async function reactivate(deps: Deps, user: User): Promise<boolean> {
  if (user.state !== "deactivated") return true;
  if ((await sql.deletionOf(deps.reads, user.id)) !== null) return false;
  if (await store.setState(deps.db, user.id, "active", ["deactivated"]))
    await audit.record(deps, "user.activated", { by: "owner" }, { userId: user.id });
  return true;
}

const APPROVERS_MAX = 20;

/** Informs the administrators that a registration waits for approval, in the transaction of `deps`. */
export async function requestApproval(
  deps: Deps,
  { id, username }: Pick<User, "id" | "username">,
): Promise<void> {
  for (const administrator of await listStore.listAdministrators(deps.db, APPROVERS_MAX))
    await sendMail(deps, {
      kind: "approval_requested",
      to: administrator.email,
      userId: id,
      subject: "A registration waits for your approval",
      content: {
        recipientName: administrator.name,
        // The e-mail must not contain texts that a visitor can choose freely, such as the name.
        paragraphs: [`The account @${username} was registered. The user can sign in after your approval.`],
        action: { label: "Approve or reject", url: `${deps.config.issuer}/admin/users/${id}` },
      },
    });
}

/** The reason why a registration cannot be approved or rejected. */
export type ApprovalRefusal = UserRefusal | "not_pending";

/**
 * Approves a registration, and informs the user.
 * @param by the administrator; null for the command line.
 * @returns null on success.
 */
export const approveUser = (deps: Deps, by: User | null, id: number): Promise<ApprovalRefusal | null> =>
  change(deps, { by, id, demotes: false }, async (context) => {
    const { deps: within, target } = context;
    if (!(await store.setState(within.db, target.id, "active", ["blocked_pending_approval"])))
      return "not_pending";
    await recordChange(context, "user.approved", {});
    await informOfDecision(within, target, {
      kind: "account_approved",
      userId: id,
      subject: "Your account was approved",
      paragraph: `The account @${target.username} was approved. You can sign in now.`,
      action: { label: "Sign in", url: `${within.config.issuer}/users/sign_in` },
    });
    return null;
  });

/**
 * Rejects a registration: deletes the account, and informs the user.
 * @param by the administrator; null for the command line.
 * @returns null on success.
 */
export const rejectUser = (deps: Deps, by: User | null, id: number): Promise<ApprovalRefusal | null> =>
  change(deps, { by, id, demotes: false }, async ({ deps: within, target }) => {
    if (target.state !== "blocked_pending_approval") return "not_pending";
    await store.remove(within.db, target.id);
    const { username } = target;
    await audit.record(within, "user.rejected", { username }, { userId: id, actorId: by?.id ?? null });
    await informOfDecision(within, target, {
      kind: "account_rejected",
      userId: null,
      subject: "Your account was not approved",
      paragraph: `The registration of the account @${username} was rejected, and the account was deleted.`,
    });
    return null;
  });

type Decision = Readonly<{
  kind: "account_approved" | "account_rejected";
  userId: number | null;
  subject: string;
  paragraph: string;
  action?: Readonly<{ label: string; url: string }>;
}>;

/**
 * Informs a user by e-mail that the account was approved or rejected. The e-mail address may be unconfirmed,
 * so the e-mail contains no text that the user chose freely.
 */
async function informOfDecision(
  deps: Deps,
  { username, email, emailVerified, pendingEmail }: listStore.ListedUser,
  { kind, userId, subject, paragraph, action }: Decision,
): Promise<void> {
  const to = emailVerified ? email : (pendingEmail?.email ?? null);
  if (to === null) return;
  const content = { recipientName: `@${username}`, paragraphs: [paragraph], action };
  await sendMail(deps, { kind, to, userId, subject, content });
}

/** Returns the first users whose registration waits for approval, oldest first. */
export const listPendingApprovals = async (deps: Pick<Deps, "reads">): Promise<readonly sql.UsernameRow[]> =>
  sql.listPendingApprovals(deps.reads, WAITING_MAX);
