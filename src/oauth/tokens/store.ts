import type { TokenDigest } from "@/kernel/crypto/token";
import type { Db } from "@/kernel/db/db";

export type NewFamily = Readonly<{
  applicationId: number | null;
  userId: number;
  grantType: string;
  scopes: string;
  redirectUri: string | null;
  codeChallenge: string | null;
  authTime: Date | null;
  authorizationCodeId: number | null;
  createdAt: Date;
}>;

/** @returns the id of the new family. */
export async function insertFamily(db: Db, family: NewFamily): Promise<number> {
  const { id } = await db.tokenFamily.create({ data: { ...family, rotations: 0 }, select: { id: true } });
  return id;
}

/** Which application a person's grant was given to; null when they have no such grant. */
export const findFamily = (
  db: Db,
  grant: Readonly<{ id: number; userId: number }>,
): Promise<Readonly<{ applicationId: number | null }> | null> =>
  db.tokenFamily.findFirst({ where: grant, select: { applicationId: true } });

export type NewOauthToken = Readonly<{
  familyId: number;
  accessDigest: TokenDigest;
  refreshDigest: TokenDigest | null;
  applicationId: number | null;
  userId: number;
  scopes: string;
  createdAt: Date;
  expiresAt: Date | null;
  refreshExpiresAt: Date | null;
  endsAt: Date | null;
}>;

export async function insert(db: Db, token: NewOauthToken): Promise<void> {
  await db.oauthToken.create({ data: token });
}

/** Which families to end. */
export type FamilyChoice =
  | { readonly id: number | { readonly in: number[] } }
  | { readonly authorizationCodeId: number }
  | { readonly userId: number; readonly applicationId: number | null }
  | { readonly userId: number };

/**
 * Ends families with their tokens. The families first: a rotation that runs at the same time has begun with the same
 * rows, so either its successor is seen here or it finds its family ended. Call it inside a transaction.
 * @returns how many families were alive.
 */
export async function revokeFamilies(db: Db, choice: FamilyChoice, now: Date): Promise<number> {
  const { count } = await db.tokenFamily.updateMany({
    where: { ...choice, revokedAt: null },
    data: { revokedAt: now },
  });
  await db.oauthToken.updateMany({ where: { family: choice, revokedAt: null }, data: { revokedAt: now } });
  return count;
}

/** The next `most` families of an application that are alive, by their ids; only those with these scopes, if given. */
export async function liveFamilies(
  db: Db,
  slice: Readonly<{ applicationId: number; scopes?: readonly string[]; after: number; most: number }>,
): Promise<number[]> {
  const { applicationId, scopes, after, most } = slice;
  const rows = await db.tokenFamily.findMany({
    where: {
      applicationId,
      id: { gt: after },
      revokedAt: null,
      ...(scopes === undefined ? {} : { scopes: { in: [...scopes] } }),
    },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** The different lists of scopes that live families of an application have, each as it is stored. */
export async function scopeListsOf(db: Db, applicationId: number): Promise<readonly string[]> {
  const where = { applicationId, revokedAt: null };
  const rows = await db.tokenFamily.groupBy({ by: ["scopes"], where });
  return rows.map(({ scopes }) => scopes);
}

/** Grants that have not been revoked, and the people who gave them. One query by an index. */
export async function usageOf(
  db: Db,
  applicationId: number,
): Promise<Readonly<{ people: number; grants: number }>> {
  const rows = await db.$queryRaw<{ people: number | bigint; grants: number | bigint }[]>`
    SELECT COUNT(DISTINCT "userId") AS "people", COUNT(*) AS "grants"
    FROM "TokenFamily" WHERE "applicationId" = ${applicationId} AND "revokedAt" IS NULL`;
  return { people: Number(rows[0]?.people ?? 0), grants: Number(rows[0]?.grants ?? 0) };
}
