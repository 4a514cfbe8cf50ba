import type { Db } from "@/kernel/db/db";

export type SigningKeyRow = Readonly<{ kid: string; sealedPrivate: string; publicJwk: string }>;

/** Returns the current signing key, the newest that is not retired, or null. */
export const newest = (db: Db): Promise<SigningKeyRow | null> =>
  db.signingKey.findFirst({ where: { retiredAt: null }, orderBy: { id: "desc" } });

export async function insert(db: Db, key: SigningKeyRow & Readonly<{ createdAt: Date }>): Promise<void> {
  await db.signingKey.create({ data: { ...key, retiredAt: null } });
}

export async function retireAll(db: Db, now: Date): Promise<void> {
  await db.signingKey.updateMany({ where: { retiredAt: null }, data: { retiredAt: now } });
}

/** @returns how many there were. */
export async function removeRetiredBefore(db: Db, since: Date): Promise<number> {
  return (await db.signingKey.deleteMany({ where: { retiredAt: { lte: since } } })).count;
}
