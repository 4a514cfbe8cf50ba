import type { TokenDigest } from "@/platform/crypto/token";
import type { Db } from "@/platform/db/db";

export type NewOauthToken = Readonly<{
  accessDigest: TokenDigest;
  refreshDigest: TokenDigest | null;
  applicationId: number | null;
  userId: number;
  authorizationCodeId: number | null;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
}>;

export async function insert(db: Db, token: NewOauthToken): Promise<void> {
  await db.oauthToken.create({ data: token });
}

export async function revokeByCode(db: Db, authorizationCodeId: number, now: Date): Promise<void> {
  await db.oauthToken.updateMany({
    where: { authorizationCodeId, revokedAt: null },
    data: { revokedAt: now },
  });
}
