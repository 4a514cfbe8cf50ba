import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

export type PendingRow = Readonly<{
  stateDigest: TokenDigest;
  browserDigest: TokenDigest;
  sealed: string;
  expiresAt: Date;
}>;

export async function insert(db: Db, row: PendingRow): Promise<void> {
  await db.providerSignIn.create({ data: row });
}

/** Returns the encrypted details of a sign-in that this browser started; null if there is no such sign-in. */
export const find = (
  db: Db,
  { stateDigest, browserDigest }: Pick<PendingRow, "stateDigest" | "browserDigest">,
): Promise<Readonly<{ sealed: string; expiresAt: Date }> | null> =>
  db.providerSignIn.findFirst({
    where: { stateDigest, browserDigest },
    select: { sealed: true, expiresAt: true },
  });

/**
 * Deletes the stored details of a sign-in.
 * @returns true for exactly one of several simultaneous callers.
 */
export const claim = async (
  db: Db,
  { stateDigest, browserDigest }: Pick<PendingRow, "stateDigest" | "browserDigest">,
): Promise<boolean> =>
  (await db.providerSignIn.deleteMany({ where: { stateDigest, browserDigest } })).count === 1;

/** Returns the rows of authorization requests with encrypted details, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.providerSignIn.findMany({
    where: { id: { gt: afterId } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealed: true, stateDigest: true },
  });
  return rows.map(({ id, sealed, stateDigest }) => ({ id, sealed, subject: stateDigest }));
}

/**
 * Replaces the encrypted details of an authorization request, unless another process has changed the details.
 */
export async function replaceSealed(db: Db, id: number, sealed: string, next: string): Promise<void> {
  await db.providerSignIn.updateMany({ where: { id, sealed }, data: { sealed: next } });
}
