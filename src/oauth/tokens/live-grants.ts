import { isScope, type Scope } from "@/access/scopes";
import * as audit from "@/instance/audit/service";
import type { Db } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Deps } from "@/kernel/deps/deps";
import { type Cursor, type Slice, sliceOf } from "@/kernel/paging/keyset";
import * as store from "./store";

/** A grant of a person that still works: an access token, or a refresh token to get the next one with. */
export type LiveGrant = Readonly<{
  id: number;
  /** How it was given. */
  way: "browser" | "device" | "password";
  scopes: readonly Scope[];
  createdAt: Date;
  /** Null: never yet. */
  lastUsedAt: Date | null;
  /** Where it was last used from, and by what; empty when nobody knows. */
  address: string;
  userAgent: string;
  /** Null: given to nobody that is registered. */
  application: Readonly<{ id: number; name: string; owner: Readonly<{ username: string }> }> | null;
}>;

/** Whose grants: of one person, to one application, or to none. */
type Whose = Readonly<{ userId: number; applicationId: number | null }>;

/** The condition of a grant `f` that still works. */
const isLive = (userId: number, now: Date): Prisma.Sql => Prisma.sql`
  f."userId" = ${userId} AND f."revokedAt" IS NULL AND EXISTS (
    SELECT 1 FROM "OauthToken" t WHERE t."familyId" = f."id" AND t."revokedAt" IS NULL AND (
      t."expiresAt" IS NULL OR t."expiresAt" > ${now} OR (
        t."refreshDigest" IS NOT NULL AND (t."refreshExpiresAt" IS NULL OR t."refreshExpiresAt" > ${now}))))`;

/** Applications to which a person has live grants, beside the cursor, in its order. */
export async function applicationsWithGrants(
  deps: Deps,
  userId: number,
  cursor: Cursor<number>,
  most: number,
): Promise<readonly number[]> {
  const up = cursor?.side === "after";
  const beside = cursor === null ? Prisma.empty : beyond("applicationId", cursor);
  const rows = await deps.db.$queryRaw<{ id: number }[]>`
    SELECT DISTINCT f."applicationId" AS "id" FROM "TokenFamily" f
    WHERE f."applicationId" IS NOT NULL AND ${isLive(userId, deps.clock())} ${beside}
    ORDER BY f."applicationId" ${up ? Prisma.sql`ASC` : Prisma.sql`DESC`} LIMIT ${most}`;
  return rows.map(({ id }) => id);
}

const beyond = (column: "applicationId" | "id", { side, key }: NonNullable<Cursor<number>>): Prisma.Sql =>
  side === "after"
    ? Prisma.sql`AND f.${Prisma.raw(`"${column}"`)} > ${key}`
    : Prisma.sql`AND f.${Prisma.raw(`"${column}"`)} < ${key}`;

/** The live grants to one application: how many, all of their scopes, and those that were used last. */
export type GrantSummary = Readonly<{
  count: number;
  scopes: readonly Scope[];
  newest: readonly LiveGrant[];
}>;

const NO_GRANTS: GrantSummary = { count: 0, scopes: [], newest: [] };

/**
 * What a person has given to each of these applications, in three queries.
 * @param applicationIds null for what was given to nobody that is registered.
 */
export async function grantSummaries(
  deps: Deps,
  userId: number,
  applicationIds: readonly number[] | null,
  most: number,
): Promise<(applicationId: number | null) => GrantSummary> {
  if (applicationIds?.length === 0) return () => NO_GRANTS;
  const now = deps.clock();
  const within = givenTo(applicationIds);
  const ranked = await deps.db.$queryRaw<{ id: number; count: number | bigint }[]>`
    SELECT g."id", g."count" FROM (
      SELECT f."id", COUNT(*) OVER (PARTITION BY f."applicationId") AS "count",
        ROW_NUMBER() OVER (
          PARTITION BY f."applicationId" ORDER BY COALESCE(f."lastUsedAt", f."createdAt") DESC, f."id" DESC
        ) AS "place"
      FROM "TokenFamily" f WHERE ${isLive(userId, now)} AND ${within}) g
    WHERE g."place" <= ${most} ORDER BY g."place"`;
  const scopes = await deps.db.$queryRaw<{ applicationId: number | null; scopes: string }[]>`
    SELECT DISTINCT f."applicationId", f."scopes" FROM "TokenFamily" f
    WHERE ${isLive(userId, now)} AND ${within}`;
  const grants = await grantsById(
    deps.db,
    ranked.map(({ id }) => id),
  );
  const counts = new Map(ranked.map(({ id, count }) => [id, Number(count)]));
  return (applicationId) => {
    const newest = grants.filter(({ application }) => (application?.id ?? null) === applicationId);
    const [first] = newest;
    if (first === undefined) return NO_GRANTS;
    const words = scopes.filter((row) => row.applicationId === applicationId).map((row) => row.scopes);
    return { count: counts.get(first.id) ?? 0, scopes: scopesIn(words.join(" ")), newest };
  };
}

/** Each case by itself: an index serves neither of them in an OR. */
const givenTo = (applicationIds: readonly number[] | null): Prisma.Sql =>
  applicationIds === null
    ? Prisma.sql`f."applicationId" IS NULL`
    : Prisma.sql`f."applicationId" IN (${Prisma.join(applicationIds)})`;

/** A page of what a person has given to one application, the newest first. */
export async function liveGrants(
  deps: Deps,
  { userId, applicationId }: Whose,
  cursor: Cursor<number>,
  most: number,
): Promise<Slice<LiveGrant>> {
  const beside = cursor === null ? Prisma.empty : beyond("id", cursor);
  const rows = await deps.db.$queryRaw<{ id: number }[]>`
    SELECT f."id" FROM "TokenFamily" f
    WHERE ${isLive(userId, deps.clock())} AND ${givenTo(applicationId === null ? null : [applicationId])} ${beside}
    ORDER BY f."id" ${cursor?.side === "after" ? Prisma.sql`ASC` : Prisma.sql`DESC`} LIMIT ${most + 1}`;
  const grants = await grantsById(
    deps.db,
    rows.map(({ id }) => id),
  );
  return sliceOf(grants, most, cursor);
}

/** These grants, in the order of the ids. */
async function grantsById(db: Db, ids: readonly number[]): Promise<readonly LiveGrant[]> {
  const rows = await db.tokenFamily.findMany({
    where: { id: { in: [...ids] } },
    select: {
      id: true,
      grantType: true,
      scopes: true,
      createdAt: true,
      lastUsedAt: true,
      lastAddress: true,
      lastUserAgent: true,
      application: { select: { id: true, name: true, owner: { select: { username: true } } } },
    },
  });
  return rows
    .map(({ grantType, scopes, lastAddress, lastUserAgent, ...row }) => ({
      ...row,
      way: WAYS[grantType] ?? "browser",
      scopes: scopesIn(scopes),
      address: lastAddress,
      userAgent: lastUserAgent,
    }))
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

const WAYS: Readonly<Record<string, LiveGrant["way"]>> = {
  authorization_code: "browser",
  device_code: "device",
  password: "password",
};

const scopesIn = (words: string): readonly Scope[] => [...new Set(words.split(" "))].filter(isScope);

/**
 * Ends one grant of a person: its tokens stop at once.
 * @returns false when there is no such grant of theirs that is alive.
 */
export const endOwnGrant = (
  deps: Deps,
  { userId, grantId }: Readonly<{ userId: number; grantId: number }>,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    const grant = await store.findFamily(within.db, { id: grantId, userId });
    if (grant === null) return false;
    if ((await store.revokeFamilies(within.db, { id: grantId }, within.clock())) === 0) return false;
    const about = { userId, applicationId: grant.applicationId };
    await audit.record(within, "token.revoked", { by: "owner" }, about);
    return true;
  });

/** Ends all that a person has given to nobody that is registered. @returns how many grants were alive. */
export const endGrantsWithoutApplication = (deps: Deps, userId: number): Promise<number> =>
  deps.transaction(async (within) => {
    const count = await store.revokeFamilies(within.db, { userId, applicationId: null }, within.clock());
    if (count > 0) await audit.record(within, "token.revoked", { by: "owner" }, { userId });
    return count;
  });
