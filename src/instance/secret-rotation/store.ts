import type { Db } from "@/kernel/db/db";
import type { SecretRotation } from "@/kernel/db/generated/sqlite/client";
import type { SealedRow } from "./sealed-column";

export type RotationRow = SecretRotation;

/** Returns the newest rotations of the instance secret, newest first. */
export const newest = (db: Db, most: number): Promise<readonly RotationRow[]> =>
  db.secretRotation.findMany({ orderBy: { id: "desc" }, take: most });

export async function insert(
  db: Db,
  rotation: Pick<RotationRow, "previousCheck" | "check" | "startedAt">,
): Promise<void> {
  await db.secretRotation.create({ data: rotation, select: { id: true } });
}

/** Records the first process that does not have the new secret of a rotation, before the switch. */
export async function refuse(db: Db, id: number, refusedBy: string): Promise<void> {
  await db.secretRotation.updateMany({
    where: { id, refusedBy: null, switchedAt: null },
    data: { refusedBy },
  });
}

/** Deletes a rotation that has not switched the encryption to its new secret. */
export async function cancel(db: Db, id: number): Promise<void> {
  await db.secretRotation.deleteMany({ where: { id, switchedAt: null } });
}

/**
 * Records that a rotation has switched to the new secret.
 * @returns false when the rotation was already switched or canceled.
 */
export async function setSwitched(
  db: Db,
  id: number,
  values: Readonly<{ switchedAt: Date; sealedSessionKey: string; sealedAuditKey: string }>,
): Promise<boolean> {
  const { count } = await db.secretRotation.updateMany({ where: { id, switchedAt: null }, data: values });
  return count === 1;
}

/**
 * Records the end of a rotation of the instance secret.
 * @returns false when the rotation was already finished.
 */
export async function setRetired(
  db: Db,
  id: number,
  values: Readonly<{ retiredAt: Date; sessionsUntil: Date; auditUpTo: number }>,
): Promise<boolean> {
  const { count } = await db.secretRotation.updateMany({
    where: { id, switchedAt: { not: null }, retiredAt: null },
    data: values,
  });
  return count === 1;
}

/** The columns with the encrypted keys of the previous secret. */
type KeyColumn = "sealedSessionKey" | "sealedAuditKey";

/** Returns a function that lists the encrypted keys of a column, ordered by id. */
export const sealedKeysIn =
  (column: KeyColumn) =>
  async (db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> => {
    const rows = await db.secretRotation.findMany({
      where: { id: { gt: afterId }, [column]: { not: null } },
      orderBy: { id: "asc" },
      take: most,
    });
    return rows.map((row) => ({ id: row.id, sealed: row[column] ?? "", subject: row.check }));
  };

/** Returns a function that replaces an encrypted key, if the stored key has not changed. */
export const replaceSealedKeyIn =
  (column: KeyColumn) =>
  async (db: Db, id: number, sealed: string, next: string): Promise<void> => {
    await db.secretRotation.updateMany({ where: { id, [column]: sealed }, data: { [column]: next } });
  };
