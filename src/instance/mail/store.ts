import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { Db } from "@/kernel/db/db";
import type { MailMessage } from "@/kernel/db/generated/sqlite/client";

export type NewMessage = Omit<MailMessage, "id" | "attempts" | "endedAt" | "lastError">;

export async function insert(db: Db, message: NewMessage): Promise<number> {
  return (await db.mailMessage.create({ data: message, select: { id: true } })).id;
}

/** Returns the messages that wait to be sent. The message that has been waiting longest comes first. */
export const listDue = (db: Db, now: Date, most: number): Promise<readonly MailMessage[]> =>
  db.mailMessage.findMany({
    where: { state: "waiting", nextAttemptAt: { lte: now } },
    orderBy: { nextAttemptAt: "asc" },
    take: most,
  });

/** Returns the number of messages that wait to be sent, including messages that wait for another attempt. */
export const countWaiting = (db: Db): Promise<number> =>
  db.mailMessage.count({ where: { state: "waiting" } });

/**
 * Claims one attempt to send a message.
 * @param until the time until which no other process tries to send the message.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claim(
  db: Db,
  { id, nextAttemptAt }: Pick<MailMessage, "id" | "nextAttemptAt">,
  until: Date,
): Promise<boolean> {
  const { count } = await db.mailMessage.updateMany({
    where: { id, state: "waiting", nextAttemptAt },
    data: { nextAttemptAt: until, attempts: { increment: 1 } },
  });
  return count === 1;
}

/** Marks a message as sent or failed, and deletes its content. */
export async function end(
  db: Db,
  id: number,
  state: "sent" | "failed",
  at: Date,
  lastError: string | null,
): Promise<void> {
  await db.mailMessage.updateMany({
    where: { id },
    data: { state, endedAt: at, lastError, sealedContent: null },
  });
}

export async function retryAt(db: Db, id: number, nextAttemptAt: Date, lastError: string): Promise<void> {
  await db.mailMessage.updateMany({ where: { id }, data: { nextAttemptAt, lastError } });
}

/** Returns the newest messages that have a recipient, newest first. */
export const listNewest = (db: Db, most: number): Promise<readonly MailMessage[]> =>
  db.mailMessage.findMany({ where: { state: { not: "discarded" } }, orderBy: { id: "desc" }, take: most });

export const find = (db: Db, id: number): Promise<MailMessage | null> =>
  db.mailMessage.findFirst({ where: { id, state: { not: "discarded" } } });

/** Returns the kinds of e-mails that a user has switched off. */
export async function optOutsOf(db: Db, userId: number): Promise<readonly string[]> {
  return (await db.mailOptOut.findMany({ where: { userId } })).map(({ kind }) => kind);
}

/**
 * Replaces the opt-outs of a user. The function first inserts the new opt-outs, because an insertion waits for a
 * simultaneous call that inserts the same opt-out. The deletion then also removes the other opt-outs of that
 * call. Callers must be inside a transaction.
 */
export async function replaceOptOuts(db: Db, userId: number, kinds: readonly string[]): Promise<void> {
  for (const kind of kinds) await insertOptOut(db, userId, kind);
  await db.mailOptOut.deleteMany({ where: { userId, kind: { notIn: [...kinds] } } });
}

/** Stores an opt-out, unless it is already stored. */
export async function insertOptOut(db: Db, userId: number, kind: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "MailOptOut" ("userId", "kind") VALUES (${userId}, ${kind})
    ON CONFLICT ("userId", "kind") DO NOTHING`;
}

/** Returns the rows of messages with encrypted content, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.mailMessage.findMany({
    where: { id: { gt: afterId }, sealedContent: { not: null } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealedContent: true, uid: true },
  });
  return rows.map(({ id, sealedContent, uid }) => ({ id, sealed: sealedContent ?? "", subject: uid }));
}

/** Replaces the encrypted content of a message, unless another process has changed the content. */
export async function replaceSealed(db: Db, id: number, sealedContent: string, next: string): Promise<void> {
  await db.mailMessage.updateMany({ where: { id, sealedContent }, data: { sealedContent: next } });
}
