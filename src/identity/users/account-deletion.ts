import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { AccountDeletion } from "@/kernel/db/generated/sqlite/client";
import type { Deps } from "@/kernel/deps/deps";
import { notify } from "../notices/service";
import { endSessionsOf } from "../sessions/service";
import { announceAccessEnded } from "./access-ended";
import { change, type UserRefusal } from "./administration";
import * as deletions from "./deletion-store";
import * as store from "./store";
import { deletionOf } from "./store.sql";

/** The number of days for which users can cancel the deletion of their own accounts. */
export const GRACE_DAYS = 7;

/** A group that has only one owner. */
export type SoleOwnedGroup = Readonly<{ id: number; fullPath: string }>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Returns the groups of which a user is the only owner. */
    soleOwnedGroups: (deps: Deps, userId: number) => Promise<readonly SoleOwnedGroup[]>;
  }
}

/** The reason why a user cannot be deleted. */
export type DeletionRefusal = UserRefusal | "sole_owner";

/**
 * Requests the deletion of a user: ends the sessions of the user, revokes all access, and stores the request
 * for the job that deletes accounts.
 * @param by the administrator; null for the command line.
 * @param options.hard whether to delete the contributions of the user, and the groups without another owner,
 * too.
 * @returns null on success; `sole_owner` if the user is the only owner of a group and `hard` is not set.
 */
export const requestDeletion = (
  deps: Deps,
  by: User | null,
  id: number,
  { hard }: Readonly<{ hard: boolean }>,
): Promise<DeletionRefusal | null> =>
  change(deps, { by, id, demotes: true }, async ({ deps: within, target }) => {
    if (!hard && (await within.hooks.soleOwnedGroups(within, id)).length > 0) return "sole_owner";
    const actorId = by?.id ?? null;
    await store.setState(within.db, id, "blocked");
    await deletions.markDeleting(within.db, id);
    await insert(within, { userId: id, hard, actorId, dueAt: within.clock() });
    await endSessionsOf(within, target);
    await announceAccessEnded(within, { userId: id, because: "deleted", actorId });
    await audit.record(
      within,
      "user.deletion_requested",
      { hard, by: "administrator" },
      { userId: id, actorId },
    );
    return null;
  });

const insert = (
  deps: Deps,
  deletion: Pick<AccountDeletion, "userId" | "hard" | "actorId" | "dueAt">,
): Promise<void> =>
  deletions.upsert(deps.db, {
    ...deletion,
    requestedAt: deps.clock(),
    nextAttemptAt: deletion.dueAt,
  });

/**
 * Requests the deletion of the user's own account after `GRACE_DAYS` days. The user is deactivated until the
 * deletion: the sessions end, and tokens stop working.
 * @returns the time of the deletion, or the reason why the account cannot be deleted.
 */
export const requestOwnDeletion = (
  deps: Deps,
  user: User,
): Promise<Readonly<{ dueAt: Date }> | "last_administrator" | "sole_owner" | "gone"> =>
  deps.transaction(async (within) => {
    const administrators = await store.lockAdministrators(within.db);
    if (administrators.length === 1 && administrators[0] === user.id) return "last_administrator";
    if ((await within.hooks.soleOwnedGroups(within, user.id)).length > 0) return "sole_owner";
    if (!(await store.setState(within.db, user.id, "deactivated", ["active"]))) return "gone";
    const dueAt = new Date(within.clock().getTime() + GRACE_DAYS * 86_400_000);
    await insert(within, { userId: user.id, hard: false, actorId: null, dueAt });
    await endSessionsOf(within, user);
    await audit.record(within, "user.deletion_requested", { hard: false, by: "owner" }, { userId: user.id });
    const facts = [["Deleted on", dueAt.toISOString().slice(0, 10)]] as const;
    await notify(within, user, "account_deletion_requested", { facts });
    return { dueAt };
  });

/** Returns the requested deletion of a user; null if no deletion was requested. */
export const findDeletion = async (
  deps: Pick<Deps, "reads">,
  userId: number,
): Promise<AccountDeletion | null> => deletionOf(deps.reads, userId);

/**
 * Cancels the deletion of the user's own account and activates the user, in the transaction of `deps`.
 * @returns false when no deletion can be canceled.
 */
export async function cancelOwnDeletion(deps: Deps, user: User): Promise<boolean> {
  if (!(await store.setState(deps.db, user.id, "active", ["deactivated"]))) return false;
  await deletions.cancel(deps.db, user.id);
  await audit.record(deps, "user.deletion_canceled", {}, { userId: user.id });
  return true;
}
