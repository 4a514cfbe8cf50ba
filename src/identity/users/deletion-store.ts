import type { Db } from "@/kernel/db/db";
import type { AccountDeletion } from "@/kernel/db/generated/sqlite/client";

export type NewDeletion = AccountDeletion;

/** Stores a request to delete a user, which replaces an earlier request for the same user. */
export async function upsert(db: Db, { userId, ...deletion }: NewDeletion): Promise<void> {
  await db.accountDeletion.upsert({
    where: { userId },
    create: { userId, ...deletion },
    update: deletion,
  });
}

/**
 * Removes the stored request to delete a user.
 * @returns false when no deletion of this user is stored.
 */
export const cancel = async (db: Db, userId: number): Promise<boolean> =>
  (await db.accountDeletion.deleteMany({ where: { userId } })).count === 1;

/** Returns the due deletions of users, oldest first. */
export const listDue = (db: Db, now: Date, most: number): Promise<readonly AccountDeletion[]> =>
  db.accountDeletion.findMany({
    where: { nextAttemptAt: { lte: now } },
    orderBy: { nextAttemptAt: "asc" },
    take: most,
  });

/**
 * Claims one attempt to run a deletion.
 * @param until the time until which no other process attempts the deletion.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claim(
  db: Db,
  { userId, nextAttemptAt }: Pick<AccountDeletion, "userId" | "nextAttemptAt">,
  until: Date,
): Promise<boolean> {
  const where = { userId, nextAttemptAt };
  return (await db.accountDeletion.updateMany({ where, data: { nextAttemptAt: until } })).count === 1;
}

/** The state of a user whose deletion has begun. */
const DELETING = "deleting";

/**
 * Marks that the deletion of a user has begun and can no longer be canceled.
 * @returns false when the user is active or does not exist.
 */
export async function markDeleting(db: Db, id: number): Promise<boolean> {
  const where = { id, state: { in: ["blocked", "deactivated", "blocked_pending_approval", DELETING] } };
  return (await db.user.updateMany({ where, data: { state: DELETING } })).count === 1;
}
