import type { Db } from "@/kernel/db/db";

const ONLY = 1;

export async function secretCheck(db: Db): Promise<string | null> {
  return (await db.instance.findUnique({ where: { id: ONLY } }))?.secretCheck ?? null;
}

/**
 * Inserts the row of the instance.
 * @throws Prisma's P2002 for every caller except the first.
 */
export async function insert(db: Db, check: string, now: Date): Promise<void> {
  await db.instance.create({ data: { id: ONLY, secretCheck: check, createdAt: now } });
}

export async function replaceCheck(db: Db, previous: string, check: string): Promise<void> {
  await db.instance.updateMany({ where: { id: ONLY, secretCheck: previous }, data: { secretCheck: check } });
}

/** Locks the row of the instance until the transaction ends. */
export async function touch(db: Db): Promise<void> {
  await db.instance.updateMany({ where: { id: ONLY }, data: { id: ONLY } });
}

/** Returns the time at which the instance was created; null before its first start. */
export async function createdAt(db: Db): Promise<Date | null> {
  return (await db.instance.findUnique({ where: { id: ONLY } }))?.createdAt ?? null;
}
