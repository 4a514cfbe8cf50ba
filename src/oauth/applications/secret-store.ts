import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

/** A stored client secret. `sealed` is the encrypted secret of an application that signs with its secret. */
export type NewSecret = Readonly<{ digest: TokenDigest; ending: string; sealed: string | null }>;

/**
 * Stores a client secret.
 * @returns the id of the new secret.
 */
export async function insertSecret(db: Db, id: number, secret: NewSecret, now: Date): Promise<number> {
  const data = { ...secret, applicationId: id, createdAt: now };
  return (await db.applicationSecret.create({ data, select: { id: true } })).id;
}

export async function removeSecret(db: Db, id: number, secretId: number): Promise<void> {
  await db.applicationSecret.deleteMany({ where: { id: secretId, applicationId: id } });
}

/**
 * Deletes the encrypted secrets of an application that no longer signs with its secrets. The digests of the
 * secrets stay stored.
 */
export async function discardSealedSecrets(db: Db, id: number): Promise<void> {
  await db.applicationSecret.updateMany({ where: { applicationId: id }, data: { sealed: null } });
}

export async function removeSecrets(db: Db, id: number): Promise<void> {
  await db.applicationSecret.deleteMany({ where: { applicationId: id } });
}

/** Returns the client secrets that are stored encrypted, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.applicationSecret.findMany({
    where: { id: { gt: afterId }, sealed: { not: null } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, sealed: true, application: { select: { uid: true } } },
  });
  return rows.map(({ id, sealed, application }) => ({ id, sealed: sealed ?? "", subject: application.uid }));
}

/** Replaces an encrypted client secret, unless another process has changed the secret. */
export async function replaceSealed(db: Db, id: number, sealed: string, next: string): Promise<void> {
  await db.applicationSecret.updateMany({ where: { id, sealed }, data: { sealed: next } });
}
