import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { Db } from "@/kernel/db/db";
import type { KeyLifetime, SigningAlgorithm } from "./rules";

export type SigningKeyRow = Readonly<{
  kid: string;
  algorithm: string;
  sealedPrivate: string;
  publicJwk: string;
}>;

/**
 * Returns the current signing key of an algorithm; null when the algorithm has no current key. The current
 * key is the newest key that is not retired and whose start time has been reached.
 */
export const newest = (
  db: Db,
  algorithm: SigningAlgorithm,
  now: Date,
): Promise<(SigningKeyRow & KeyLifetime & Readonly<{ id: number }>) | null> =>
  db.signingKey.findFirst({
    where: { retiredAt: null, algorithm, OR: [{ signsFrom: null }, { signsFrom: { lte: now } }] },
    orderBy: { id: "desc" },
  });

/**
 * Returns the key of an algorithm that is published and does not sign yet; null if the algorithm has no such
 * key.
 */
export async function findSuccessor(
  db: Db,
  algorithm: SigningAlgorithm,
  now: Date,
): Promise<Readonly<{ kid: string; signsFrom: Date }> | null> {
  const where = { retiredAt: null, algorithm, signsFrom: { gt: now } };
  const row = await db.signingKey.findFirst({ where, select: { kid: true, signsFrom: true } });
  return row?.signsFrom ? { kid: row.kid, signsFrom: row.signsFrom } : null;
}

/** Returns the algorithms that have a key that is not retired. */
export const algorithms = async (db: Db): Promise<readonly string[]> =>
  (await db.signingKey.findMany({ where: { retiredAt: null }, distinct: ["algorithm"] })).map(
    (row) => row.algorithm,
  );

export async function insert(db: Db, key: SigningKeyRow & KeyLifetime): Promise<void> {
  await db.signingKey.create({ data: { ...key, retiredAt: null } });
}

/**
 * Retires the keys of an algorithm that were created before the current key. Keys that were created after the
 * current key are not retired.
 */
export async function retireBefore(
  db: Db,
  algorithm: SigningAlgorithm,
  now: Date,
  current: Readonly<{ id: number }>,
): Promise<void> {
  await db.signingKey.updateMany({
    where: { retiredAt: null, algorithm, id: { lt: current.id } },
    data: { retiredAt: now },
  });
}

/** Retires all keys of an algorithm. */
export async function retireAll(db: Db, algorithm: SigningAlgorithm, now: Date): Promise<void> {
  await db.signingKey.updateMany({ where: { retiredAt: null, algorithm }, data: { retiredAt: now } });
}

/** Deletes all keys, including retired keys. @returns the ids of the deleted keys, newest first. */
export async function removeAll(db: Db): Promise<readonly string[]> {
  const rows = await db.signingKey.findMany({ select: { kid: true }, orderBy: { id: "desc" } });
  const kids = rows.map(({ kid }) => kid);
  await db.signingKey.deleteMany({ where: { kid: { in: kids } } });
  return kids;
}

/**
 * Deletes the keys that were retired at or before a time.
 * @returns the number of deleted keys.
 */
export async function removeRetiredBefore(db: Db, since: Date): Promise<number> {
  return (await db.signingKey.deleteMany({ where: { retiredAt: { lte: since } } })).count;
}

/** The properties of a signing key that the command line shows. */
export type ListedKey = KeyLifetime & Readonly<{ kid: string; algorithm: string; retiredAt: Date | null }>;

/** Returns all stored signing keys, newest first. */
export const list = (db: Db): Promise<readonly ListedKey[]> =>
  db.signingKey.findMany({
    select: { kid: true, algorithm: true, createdAt: true, signsFrom: true, retiredAt: true },
    orderBy: { id: "desc" },
  });

/** Returns the encrypted private keys, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.signingKey.findMany({
    where: { id: { gt: afterId } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealedPrivate: true, kid: true },
  });
  return rows.map(({ id, sealedPrivate, kid }) => ({ id, sealed: sealedPrivate, subject: kid }));
}

/** Replaces an encrypted private key, unless another process has changed the key. */
export async function replaceSealed(db: Db, id: number, sealedPrivate: string, next: string): Promise<void> {
  await db.signingKey.updateMany({ where: { id, sealedPrivate }, data: { sealedPrivate: next } });
}
