import type { TokenDigest } from "@/platform/crypto/token";
import type { Db } from "@/platform/db/db";
import { besideId, type Cursor, type Slice, sliceOf } from "@/platform/keyset";
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

/** A page of a person's tokens that have not been revoked, the newest first. */
export async function listOf(
  db: Db,
  userId: number,
  cursor: Cursor<number>,
  most: number,
): Promise<Slice<PersonalToken>> {
  const { where, orderBy } = besideId(cursor);
  const rows = await db.personalAccessToken.findMany({
    where: { ...where, userId, revokedAt: null },
    orderBy,
    take: most + 1,
    select: columns,
  });
  return sliceOf(rows.map(tokenFrom), most, cursor);
}

/** True when it was alive until now, and is this person's. */
export async function revoke(
  db: Db,
  { id, userId }: Readonly<{ id: number; userId: number }>,
  now: Date,
): Promise<boolean> {
  const { count } = await db.personalAccessToken.updateMany({
    where: { id, userId, revokedAt: null },
    data: { revokedAt: now },
  });
  return count === 1;
}
