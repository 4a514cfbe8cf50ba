import type { TokenDigest } from "@/kernel/crypto/token";
import { padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import { isAscending, type KeysetPaging, windowOf } from "@/kernel/paging/paging";
import { ownerPathColumns } from "../applications/owner";

export type NewFamily = Readonly<{
  applicationId: number | null;
  userId: number;
  grantType: string;
  scopes: string;
  redirectUri: string | null;
  codeChallenge: string | null;
  resource: string | null;
  authTime: Date | null;
  acr: string | null;
  amr: string | null;
  sid: string | null;
  offlineAccess: boolean;
  authorizationCodeId: number | null;
  createdAt: Date;
}>;

/**
 * Stores a token family.
 * @returns the id of the new family.
 */
export async function insertFamily(db: Db, family: NewFamily): Promise<number> {
  const { id } = await db.tokenFamily.create({ data: { ...family, rotations: 0 }, select: { id: true } });
  return id;
}

/** Returns the application of a user's grant; null when the user has no grant with this id. */
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
  /** The thumbprint of the DPoP key to which the access token is bound. */
  dpopJkt: string | null;
}>;

export async function insert(db: Db, token: NewOauthToken): Promise<void> {
  await db.oauthToken.create({ data: token });
}

/** Selects the token families to revoke. */
export type FamilyChoice =
  | { readonly id: number | { readonly in: number[] } }
  | { readonly authorizationCodeId: number }
  | { readonly userId: number; readonly applicationId: number | null }
  | { readonly userId: number }
  | { readonly userId: number; readonly sid: { readonly in: string[] }; readonly offlineAccess: false };

/**
 * Revokes token families with their tokens. The function updates the families before the tokens, because a
 * concurrent rotation locks the family first. Either this function revokes the new token of the rotation, or
 * the rotation finds that the token family is revoked. Callers must be inside a transaction.
 * @returns the number of active families that were revoked.
 */
export async function revokeFamilies(db: Db, choice: FamilyChoice, now: Date): Promise<number> {
  const { count } = await db.tokenFamily.updateMany({
    where: { ...choice, revokedAt: null },
    data: { revokedAt: now },
  });
  await db.oauthToken.updateMany({ where: { family: choice, revokedAt: null }, data: { revokedAt: now } });
  return count;
}

/**
 * Returns at most `most` ids of active families of an application. If the caller passes scope lists, the
 * result contains only token families with one of these scope lists.
 */
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

/** Returns the distinct stored scope lists of the active families of an application. */
export async function scopeListsOf(db: Db, applicationId: number): Promise<readonly string[]> {
  const where = { applicationId, revokedAt: null };
  const rows = await db.tokenFamily.groupBy({ by: ["scopes"], where });
  return rows.map(({ scopes }) => scopes);
}

/**
 * Returns the number of active grants of an application and the number of their users, in one indexed query.
 * Grants of the grant type `client_credentials` are not counted.
 */
export async function usageOf(
  db: Db,
  applicationId: number,
): Promise<Readonly<{ users: number; grants: number }>> {
  const rows = await db.$queryRaw<{ users: number | bigint; grants: number | bigint }[]>`
    SELECT COUNT(DISTINCT "userId") AS "users", COUNT(*) AS "grants"
    FROM "TokenFamily" WHERE "applicationId" = ${applicationId} AND "revokedAt" IS NULL
      AND "grantType" <> 'client_credentials'`;
  return { users: Number(rows[0]?.users ?? 0), grants: Number(rows[0]?.grants ?? 0) };
}

/**
 * Returns the number of users of each of these applications, counted as in `usageOf`. The result contains
 * only applications that have users. The function runs one indexed query.
 */
export async function userCounts(
  db: Db,
  applicationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: number; users: number | bigint }[]>`
    SELECT "applicationId" AS "id", COUNT(DISTINCT "userId") AS "users"
    FROM "TokenFamily"
    WHERE "applicationId" IN (${Prisma.join(padToPowerOfFour(applicationIds))}) AND "revokedAt" IS NULL
      AND "grantType" <> 'client_credentials'
    GROUP BY "applicationId"`;
  return new Map(rows.map(({ id, users }) => [id, Number(users)]));
}

/**
 * Selects the active token families of a user. An active token family has a valid access token or refresh
 * token.
 */
type LiveSelection = Readonly<{ userId: number; now: Date }>;

/** Returns the SQL condition that is true for an active token family `f`. */
const isLive = ({ userId, now }: LiveSelection): Prisma.Sql => Prisma.sql`
  f."userId" = ${userId} AND f."revokedAt" IS NULL AND EXISTS (
    SELECT 1 FROM "OauthToken" t WHERE t."familyId" = f."id" AND t."revokedAt" IS NULL AND (
      t."expiresAt" IS NULL OR t."expiresAt" > ${now} OR (
        t."refreshDigest" IS NOT NULL AND (t."refreshExpiresAt" IS NULL OR t."refreshExpiresAt" > ${now}))))`;

/** Returns the SQL condition that selects the token families `f` of a keyset page by their ids. */
const beyondCursor = (paging: KeysetPaging): Prisma.Sql => {
  if (paging.cursor === null) return Prisma.empty;
  const { key } = paging.cursor;
  return isAscending(paging) ? Prisma.sql`AND f."id" > ${key}` : Prisma.sql`AND f."id" < ${key}`;
};

/**
 * Returns the SQL condition that selects the token families of the given applications. Families with an
 * application and families without an application need separate conditions, because PostgreSQL and SQLite
 * cannot use the index for a condition with OR.
 */
const givenTo = (applicationIds: readonly number[] | null): Prisma.Sql =>
  applicationIds === null
    ? Prisma.sql`f."applicationId" IS NULL`
    : Prisma.sql`f."applicationId" IN (${Prisma.join(applicationIds)})`;

/**
 * Returns the applications for which a user has active token families, each with the time of the last use of
 * a family. For a family that was never used, the time of its creation is used instead.
 */
export async function applicationsWithLiveFamilies(
  db: Db,
  selection: LiveSelection,
): Promise<readonly Readonly<{ id: number; usedAt: Date }>[]> {
  const rows = await db.$queryRaw<{ id: number; usedAt: Date | string }[]>`
    SELECT f."applicationId" AS "id", MAX(COALESCE(f."lastUsedAt", f."createdAt")) AS "usedAt"
    FROM "TokenFamily" f WHERE f."applicationId" IS NOT NULL AND ${isLive(selection)}
    GROUP BY f."applicationId"`;
  return rows.map(({ id, usedAt }) => ({ id, usedAt: new Date(usedAt) }));
}

/**
 * Returns the times later than `after` at which tokens of a user were issued or refreshed, grouped by
 * application.
 */
export const issueTimes = (
  db: Db,
  userId: number,
  applicationIds: readonly number[],
  after: Date,
): Promise<readonly Readonly<{ applicationId: number | null; createdAt: Date }>[]> =>
  db.oauthToken.findMany({
    where: { userId, applicationId: { in: padToPowerOfFour(applicationIds) }, createdAt: { gt: after } },
    select: { applicationId: true, createdAt: true },
    orderBy: { id: "desc" },
    take: ISSUES_MAX,
  });

/** The maximum number of tokens that the charts of one page count. */
const ISSUES_MAX = 5_000;

/**
 * Returns, for each application, at most `most` active token families, the most recently used first. Each row
 * contains the number of active token families of the application.
 * @param applicationIds the ids of the applications; null for families without an application.
 */
export async function rankLiveFamilies(
  db: Db,
  selection: LiveSelection,
  applicationIds: readonly number[] | null,
  most: number,
): Promise<readonly Readonly<{ id: number; count: number }>[]> {
  const rows = await db.$queryRaw<{ id: number; count: number | bigint }[]>`
    SELECT g."id", g."count" FROM (
      SELECT f."id", COUNT(*) OVER (PARTITION BY f."applicationId") AS "count",
        ROW_NUMBER() OVER (
          PARTITION BY f."applicationId" ORDER BY COALESCE(f."lastUsedAt", f."createdAt") DESC, f."id" DESC
        ) AS "place"
      FROM "TokenFamily" f WHERE ${isLive(selection)} AND ${givenTo(applicationIds)}) g
    WHERE g."place" <= ${most} ORDER BY g."place"`;
  return rows.map(({ id, count }) => ({ id, count: Number(count) }));
}

/** Returns the distinct scope lists of active token families, grouped by application. */
export const scopesOfLiveFamilies = (
  db: Db,
  selection: LiveSelection,
  applicationIds: readonly number[] | null,
): Promise<readonly Readonly<{ applicationId: number | null; scopes: string }>[]> =>
  db.$queryRaw<{ applicationId: number | null; scopes: string }[]>`
    SELECT DISTINCT f."applicationId", f."scopes" FROM "TokenFamily" f
    WHERE ${isLive(selection)} AND ${givenTo(applicationIds)}`;

/**
 * Returns a page of the ids of the active token families of one application, newest first. The application id
 * null selects the families without an application.
 */
export async function liveFamiliesPage(
  db: Db,
  selection: LiveSelection,
  applicationId: number | null,
  paging: KeysetPaging,
): Promise<readonly number[]> {
  const order = isAscending(paging) ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT f."id" FROM "TokenFamily" f
    WHERE ${isLive(selection)} AND ${givenTo(applicationId === null ? null : [applicationId])} ${beyondCursor(paging)}
    ORDER BY f."id" ${order} LIMIT ${windowOf(paging).take}`;
  return rows.map(({ id }) => id);
}

/** Returns the token families with these ids and their applications, in no particular order. */
export const listFamilies = (db: Db, ids: readonly number[]) =>
  db.tokenFamily.findMany({
    where: { id: { in: [...ids] } },
    select: {
      id: true,
      grantType: true,
      scopes: true,
      createdAt: true,
      lastUsedAt: true,
      lastAddress: true,
      lastUserAgent: true,
      application: { select: { id: true, name: true, ...ownerPathColumns } },
    },
  });

/** Deletes at most `most` token families with their tokens. @returns the number of deleted families. */
export async function deleteSomeFamilies(
  db: Db,
  of: Readonly<{ userId: number } | { applicationId: number }>,
  most: number,
): Promise<number> {
  const rows = await db.tokenFamily.findMany({ where: of, select: { id: true }, take: most });
  await db.tokenFamily.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  return rows.length;
}

/**
 * Returns the token families of a user whose ids are greater than `after`, with the names of their
 * applications.
 */
export const familiesOfUser = (
  db: Db,
  userId: number,
  { after, most }: Readonly<{ after: number; most: number }>,
) =>
  db.tokenFamily.findMany({
    where: { userId, id: { gt: after } },
    select: {
      ...{ id: true, grantType: true, scopes: true, createdAt: true, revokedAt: true, lastUsedAt: true },
      ...{ lastAddress: true, lastUserAgent: true, application: { select: { name: true } } },
    },
    orderBy: { id: "asc" },
    take: most,
  });
