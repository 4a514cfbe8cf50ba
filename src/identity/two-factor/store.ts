import type { SealedRow } from "@/instance/secret-rotation/sealed-column";
import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

export type StoredTotp = Readonly<{ sealedSecret: string; lastStep: number }>;

export const findTotp = (db: Db, userId: number): Promise<StoredTotp | null> =>
  db.totpSecret.findUnique({ where: { userId }, select: { sealedSecret: true, lastStep: true } });

/** Stores the secret of an authenticator app, which replaces the previous secret of the user. */
export async function putTotp(
  db: Db,
  totp: StoredTotp & Readonly<{ userId: number; createdAt: Date }>,
): Promise<void> {
  await db.totpSecret.upsert({ where: { userId: totp.userId }, create: totp, update: totp });
}

/**
 * Records that a user has used the TOTP code of a time step. A code is accepted only once, and codes older
 * than the last accepted code are refused (RFC 6238 §5.2).
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claimStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { count } = await db.totpSecret.updateMany({
    where: { userId, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1;
}

/** Stores recovery codes and deletes the previous recovery codes. */
export async function putRecoveryCodes(
  db: Db,
  userId: number,
  digests: readonly TokenDigest[],
): Promise<void> {
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.recoveryCode.createMany({ data: digests.map((digest) => ({ userId, digest })) });
}

export const countRecoveryCodes = (db: Db, userId: number): Promise<number> =>
  db.recoveryCode.count({ where: { userId, usedAt: null } });

/**
 * Marks a recovery code as used.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function claimRecoveryCode(
  db: Db,
  userId: number,
  digest: TokenDigest,
  now: Date,
): Promise<boolean> {
  const { count } = await db.recoveryCode.updateMany({
    where: { userId, digest, usedAt: null },
    data: { usedAt: now },
  });
  return count === 1;
}

export type StoredPasskey = Readonly<{
  id: number;
  userId: number;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /**
   * The user handle that the authenticator stores; null if the handle is derived from the instance secret.
   */
  userHandle: string | null;
}>;

/**
 * The maximum number of passkeys per user. The maximum is small enough to list all passkeys of a user on one
 * page.
 */
export const PASSKEYS_MAX = 20;

export const listPasskeys = (db: Db, userId: number): Promise<StoredPasskey[]> =>
  db.passkey.findMany({ where: { userId }, orderBy: { id: "asc" }, take: PASSKEYS_MAX });

export const findPasskey = (db: Db, credentialId: string): Promise<StoredPasskey | null> =>
  db.passkey.findUnique({ where: { credentialId } });

/**
 * Inserts a passkey.
 * @throws Prisma's P2002 for an authenticator that is already registered.
 */
export async function insertPasskey(
  db: Db,
  passkey: Omit<StoredPasskey, "id" | "lastUsedAt">,
): Promise<void> {
  await db.passkey.create({ data: passkey });
}

/** Returns passkeys whose user handle is not stored. */
export const listWithoutHandle = (
  db: Db,
  most: number,
): Promise<readonly Readonly<{ id: number; userId: number }>[]> =>
  db.passkey.findMany({
    where: { userHandle: null },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, userId: true },
  });

export async function setUserHandle(db: Db, id: number, userHandle: string): Promise<void> {
  await db.passkey.updateMany({ where: { id, userHandle: null }, data: { userHandle } });
}

/**
 * Stores the signature counter of a passkey.
 * @returns false when the passkey was used after the counter was read.
 */
export async function claimCounter(
  db: Db,
  passkey: Pick<StoredPasskey, "id" | "counter">,
  counter: number,
  now: Date,
): Promise<boolean> {
  const { count } = await db.passkey.updateMany({
    where: { id: passkey.id, counter: passkey.counter },
    data: { counter, lastUsedAt: now },
  });
  return count === 1;
}

/**
 * Deletes a passkey.
 * @returns the name of the deleted passkey; null when the user has no such passkey.
 */
export async function removePasskey(db: Db, userId: number, id: number): Promise<string | null> {
  const passkey = await db.passkey.findFirst({ where: { id, userId }, select: { name: true } });
  if (passkey === null) return null;
  await db.passkey.deleteMany({ where: { id, userId } });
  return passkey.name;
}

/** Returns whether the user has a second factor. */
export async function hasFactor(db: Db, userId: number): Promise<boolean> {
  if ((await db.totpSecret.count({ where: { userId } })) > 0) return true;
  return (await db.passkey.count({ where: { userId } })) > 0;
}

export async function removeAll(db: Db, userId: number): Promise<void> {
  await db.totpSecret.deleteMany({ where: { userId } });
  await db.passkey.deleteMany({ where: { userId } });
  await db.recoveryCode.deleteMany({ where: { userId } });
}

/**
 * Records that an encrypted text was used.
 * @throws Prisma's P2002 for all simultaneous callers except the first.
 */
export async function insertUsedToken(db: Db, digest: TokenDigest, expiresAt: Date): Promise<void> {
  await db.spentProof.create({ data: { digest, expiresAt } });
}

/** Returns the rows of authenticator apps with an encrypted secret, ordered by id. */
export async function listSealed(db: Db, afterId: number, most: number): Promise<readonly SealedRow[]> {
  const rows = await db.totpSecret.findMany({
    where: { userId: { gt: afterId } },
    orderBy: { userId: "asc" },
    take: most,
    select: { userId: true, sealedSecret: true },
  });
  return rows.map(({ userId, sealedSecret }) => ({
    id: userId,
    sealed: sealedSecret,
    subject: String(userId),
  }));
}

/** Replaces the encrypted secret of an authenticator app, unless another process has changed the secret. */
export async function replaceSealed(
  db: Db,
  userId: number,
  sealedSecret: string,
  next: string,
): Promise<void> {
  await db.totpSecret.updateMany({ where: { userId, sealedSecret }, data: { sealedSecret: next } });
}
