import type { Db } from "@/kernel/db/db";

export type SigningKeyRow = Readonly<{ kid: string; sealedPrivate: string; publicJwk: string }>;

/**
 * Returns the current signing key, which is the newest key that is not retired; null when no such key exists.
 */
export const newest = (db: Db): Promise<SigningKeyRow | null> =>
  db.signingKey.findFirst({ where: { retiredAt: null }, orderBy: { id: "desc" } });

export async function insert(db: Db, key: SigningKeyRow & Readonly<{ createdAt: Date }>): Promise<void> {
  await db.signingKey.create({ data: { ...key, retiredAt: null } });
}

export async function retireAll(db: Db, now: Date): Promise<void> {
  await db.signingKey.updateMany({ where: { retiredAt: null }, data: { retiredAt: now } });
}

/**
 * Deletes the keys that were retired at or before a time.
 * @returns the number of deleted keys.
 */
export async function removeRetiredBefore(db: Db, since: Date): Promise<number> {
  return (await db.signingKey.deleteMany({ where: { retiredAt: { lte: since } } })).count;
}
