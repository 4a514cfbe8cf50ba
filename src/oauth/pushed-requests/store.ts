import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

export type NewPushedRequest = Readonly<{
  digest: TokenDigest;
  applicationId: number;
  sealedQuery: string;
  createdAt: Date;
  expiresAt: Date;
}>;

export async function insert(db: Db, row: NewPushedRequest): Promise<void> {
  await db.pushedRequest.create({ data: row, select: { digest: true } });
}

/**
 * Returns the pushed authorization request with this digest and the `client_id` of its application; null for
 * an unknown digest.
 */
export const find = (db: Db, digest: TokenDigest) =>
  db.pushedRequest.findUnique({ where: { digest }, include: { application: { select: { uid: true } } } });

export async function open(db: Db, digest: TokenDigest, now: Date): Promise<void> {
  await db.pushedRequest.updateMany({ where: { digest, openedAt: null }, data: { openedAt: now } });
}

/**
 * Marks a pushed authorization request as used.
 * @returns true for exactly one of several concurrent callers.
 */
export async function spend(db: Db, digest: TokenDigest, now: Date): Promise<boolean> {
  const { count } = await db.pushedRequest.updateMany({
    where: { digest, usedAt: null },
    data: { usedAt: now },
  });
  return count === 1;
}
