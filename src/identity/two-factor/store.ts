import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

export type StoredTotp = Readonly<{ sealedSecret: string; lastStep: number }>;

export const findTotp = (db: Db, userId: number): Promise<StoredTotp | null> =>
  db.totpSecret.findUnique({ where: { userId }, select: { sealedSecret: true, lastStep: true } });

/** In place of the one before it, if there is one. */
export async function putTotp(
  db: Db,
  totp: StoredTotp & Readonly<{ userId: number; createdAt: Date }>,
): Promise<void> {
  await db.totpSecret.upsert({ where: { userId: totp.userId }, create: totp, update: totp });
}

/** True for exactly one caller: a code counts once, and none that is older than one that has counted. */
export async function claimStep(db: Db, userId: number, step: number): Promise<boolean> {
  const { count } = await db.totpSecret.updateMany({
    where: { userId, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1;
}

/** In place of those before. */
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

/** True for exactly one caller. */
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
}>;

/** More than anybody has: a page and a browser can take them all. */
export const PASSKEYS_MAX = 20;

export const listPasskeys = (db: Db, userId: number): Promise<StoredPasskey[]> =>
  db.passkey.findMany({ where: { userId }, orderBy: { id: "asc" }, take: PASSKEYS_MAX });

export const findPasskey = (db: Db, credentialId: string): Promise<StoredPasskey | null> =>
  db.passkey.findUnique({ where: { credentialId } });

/** Raises Prisma's P2002 when this authenticator is here already. */
export async function insertPasskey(
  db: Db,
  passkey: Omit<StoredPasskey, "id" | "lastUsedAt">,
): Promise<void> {
  await db.passkey.create({ data: passkey });
}

/** False when the passkey has been used since it was read: one of two uses has a counter that is not the next. */
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

/** The name of the one that was removed; null when the person has no such. */
export async function removePasskey(db: Db, userId: number, id: number): Promise<string | null> {
  const passkey = await db.passkey.findFirst({ where: { id, userId }, select: { name: true } });
  if (passkey === null) return null;
  await db.passkey.deleteMany({ where: { id, userId } });
  return passkey.name;
}

/** Whether anything is left of which a person can have several kinds. */
export async function hasFactor(db: Db, userId: number): Promise<boolean> {
  if ((await db.totpSecret.count({ where: { userId } })) > 0) return true;
  return (await db.passkey.count({ where: { userId } })) > 0;
}

export async function removeAll(db: Db, userId: number): Promise<void> {
  await db.totpSecret.deleteMany({ where: { userId } });
  await db.passkey.deleteMany({ where: { userId } });
  await db.recoveryCode.deleteMany({ where: { userId } });
}

/** Raises Prisma's P2002 for everyone but the first. */
export async function insertSpent(db: Db, digest: TokenDigest, expiresAt: Date): Promise<void> {
  await db.spentProof.create({ data: { digest, expiresAt } });
}
