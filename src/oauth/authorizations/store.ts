import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

export type NewCode = Readonly<{
  digest: TokenDigest;
  applicationId: number;
  userId: number;
  redirectUri: string;
  scopes: string;
  codeChallenge: string | null;
  resource: string | null;
  nonce: string | null;
  dpopJkt: string | null;
  /** The time at which the user last authenticated. */
  authTime: Date;
  acr: string | null;
  amr: string | null;
  sid: string | null;
  offlineAccess: boolean;
  createdAt: Date;
  expiresAt: Date;
}>;

export async function insertCode(db: Db, code: NewCode): Promise<void> {
  await db.authorizationCode.create({ data: code });
}

export type StoredCode = Omit<NewCode, "digest"> &
  Readonly<{ id: number; usedAt: Date | null; user: Readonly<{ state: string }> }>;

export const findCode = (db: Db, digest: TokenDigest): Promise<StoredCode | null> =>
  db.authorizationCode.findUnique({ where: { digest }, include: { user: { select: { state: true } } } });

type Pending =
  | Readonly<{ userId: number; applicationId?: number; sid?: Readonly<{ in: string[] }> }>
  | Readonly<{ applicationId: number }>;

/**
 * Marks unused authorization codes as used.
 * @returns the number of codes that were marked.
 */
export async function spendUnusedCodes(db: Db, about: Pending, now: Date): Promise<number> {
  const { count } = await db.authorizationCode.updateMany({
    where: { ...about, usedAt: null },
    data: { usedAt: now },
  });
  return count;
}

/** Deletes the unused authorization codes of an application. */
export async function removeUnusedCodes(db: Db, applicationId: number): Promise<void> {
  await db.authorizationCode.deleteMany({ where: { applicationId, usedAt: null } });
}
