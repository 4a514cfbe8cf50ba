import type { TokenDigest } from "@/platform/crypto/token";
import type { Db } from "@/platform/db/db";
import type { PersonalToken } from "./rules";

const columns = {
  id: true,
  userId: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
} as const;

type Row = Omit<PersonalToken, "scopes"> & Readonly<{ scopes: string }>;

const tokenFrom = (row: Row): PersonalToken => ({ ...row, scopes: row.scopes.split(" ") });

export type NewPersonalToken = Readonly<{
  digest: TokenDigest;
  userId: number;
  name: string;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
}>;

export async function insert(db: Db, token: NewPersonalToken): Promise<PersonalToken> {
  return tokenFrom(await db.personalAccessToken.create({ data: token, select: columns }));
}

export async function findById(db: Db, id: number): Promise<PersonalToken | null> {
  const row = await db.personalAccessToken.findUnique({ where: { id }, select: columns });
  return row && tokenFrom(row);
}

/** True when it was alive until now. */
export async function revoke(db: Db, id: number, now: Date): Promise<boolean> {
  const { count } = await db.personalAccessToken.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  });
  return count === 1;
}
