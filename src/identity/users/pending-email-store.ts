import type { Db } from "@/kernel/db/db";

export type PendingEmail = Readonly<{ email: string; at: Date }>;

export const pendingEmailFrom = ({
  pendingEmail: email,
  pendingEmailAt: at,
}: Readonly<{ pendingEmail: string | null; pendingEmailAt: Date | null }>): PendingEmail | null =>
  email === null || at === null ? null : { email, at };

export async function setPendingEmail(db: Db, id: number, { email, at }: PendingEmail): Promise<void> {
  await db.user.update({ where: { id }, data: { pendingEmail: email, pendingEmailAt: at } });
}

export const NO_PENDING_EMAIL = { pendingEmail: null, pendingEmailAt: null } as const;

/**
 * Deletes the pending e-mail address of a user who has a confirmed e-mail address.
 * @returns whether a pending e-mail address was deleted.
 */
export async function clearPendingEmail(db: Db, id: number): Promise<boolean> {
  const where = { id, emailVerified: true, pendingEmail: { not: null } };
  return (await db.user.updateMany({ where, data: NO_PENDING_EMAIL })).count === 1;
}

/**
 * Confirms the pending e-mail address of a user. The function throws Prisma's P2002 when another user has the
 * e-mail address.
 * @returns whether this e-mail address was pending.
 */
export async function confirmPendingEmail(db: Db, id: number, email: string): Promise<boolean> {
  const data = { email, emailLower: email.toLowerCase(), emailVerified: true, ...NO_PENDING_EMAIL };
  return (await db.user.updateMany({ where: { id, pendingEmail: email }, data })).count === 1;
}
