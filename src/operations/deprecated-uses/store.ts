import { NAMED_MAX, named, padToPowerOfFour, unindexed } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Deps } from "@/kernel/deps/deps";
import { pageOfList } from "@/kernel/paging/list-statements";
import { COUNTED_MAX, type Page, type Paging, pageById } from "@/kernel/paging/paging";
import type { DeprecatedUse, UseCircle } from "./rules";
import * as sql from "./store.sql";

/** The number of uses since the count was last written to the database. */
export type Uses = Readonly<{
  name: string;
  userId: number | null;
  applicationId: number | null;
  count: number;
  lastUsedAt: Date;
}>;

const ROWS_AT_ONCE = 200;

/**
 * Adds the counts to the stored counts. Uses by deleted users and applications are omitted. All processes lock
 * the rows in the order of their keys, which prevents deadlocks.
 */
export async function addUses(deps: Pick<Deps, "db" | "config">, uses: readonly Uses[]): Promise<void> {
  const sorted = uses.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (let start = 0; start < sorted.length; start += ROWS_AT_ONCE)
    await addBatch(deps.db, sorted.slice(start, start + ROWS_AT_ONCE), momentOf(deps));
}

/** In a VALUES list, PostgreSQL requires a type cast for a timestamp. SQLite does not require a type cast. */
const momentOf =
  ({ config }: Pick<Deps, "config">) =>
  (at: Date): Prisma.Sql =>
    config.database.provider === "postgresql" ? Prisma.sql`CAST(${at} AS TIMESTAMP(3))` : Prisma.sql`${at}`;

/**
 * The maximum of PostgreSQL's `integer`. A larger count would cause the statement for the whole batch to
 * fail.
 */
const COUNT_MAX = Prisma.sql`2147483647`;

const keyOf = ({ name, userId, applicationId }: Uses): string =>
  `${name}:${userId ?? ""}:${applicationId ?? ""}`;

async function addBatch(db: Db, uses: readonly Uses[], moment: (at: Date) => Prisma.Sql): Promise<void> {
  const rows = uses.map(
    (use) =>
      Prisma.sql`(CAST(${keyOf(use)} AS TEXT), CAST(${use.name} AS TEXT), CAST(${use.userId} AS INTEGER),
        CAST(${use.applicationId} AS INTEGER), CAST(${use.count} AS INTEGER), ${moment(use.lastUsedAt)})`,
  );
  await db.$executeRaw`
    WITH u("key", "name", "userId", "applicationId", "count", "lastUsedAt") AS (VALUES ${Prisma.join(rows)})
    INSERT INTO "DeprecatedUse" ("key", "name", "userId", "applicationId", "count", "lastUsedAt")
    SELECT u."key", u."name", u."userId", u."applicationId", u."count", u."lastUsedAt" FROM u
    WHERE (u."userId" IS NULL OR EXISTS (SELECT 1 FROM "User" p WHERE p."id" = u."userId"))
      AND (u."applicationId" IS NULL
        OR EXISTS (SELECT 1 FROM "Application" a WHERE a."id" = u."applicationId"))
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN "DeprecatedUse"."count" > ${COUNT_MAX} - excluded."count" THEN ${COUNT_MAX}
        ELSE "DeprecatedUse"."count" + excluded."count" END,
      "lastUsedAt" = excluded."lastUsedAt"`;
}

/**
 * Returns the query condition that selects the uses by the applications of an owner. The query condition
 * contains the ids of the applications, or a subquery if the list of ids would be too long.
 */
async function ofApplications(db: Db, ownerId: number): Promise<Prisma.DeprecatedUseWhereInput> {
  const query = { where: { ownerId }, orderBy: { ownerId: "asc" }, take: NAMED_MAX + 1 } as const;
  const owned = await db.application.findMany({ ...query, select: { id: true } });
  const ids = named(owned.map(({ id }) => id));
  return ids === null
    ? { application: unindexed({ ownerId: { notIn: [ownerId] } }) }
    : { applicationId: { in: padToPowerOfFour(ids) } };
}

/**
 * Returns a page of the uses in a set (`own`, `applications` or `all`).
 * @param userId the id of the user who reads the list. If other users use an application of this user, the
 * names of these other users are omitted.
 */
export async function findUses(
  { db, reads }: Queries,
  circle: UseCircle,
  userId: number,
  paging: Paging,
): Promise<Page<DeprecatedUse>> {
  const rowsOf = async (ids: readonly number[]) => sql.findByIds(reads, ids);
  if (circle === "own" && paging.kind === "offset")
    return pageOfList(reads, sql.USES_OF_USER, { userId }, paging, rowsOf);
  const where =
    circle === "applications" ? await ofApplications(db, userId) : { own: { userId }, all: {} }[circle];
  const orderBy: Prisma.DeprecatedUseOrderByWithRelationInput[] = [{ lastUsedAt: "desc" }, { id: "desc" }];
  return pageById(paging, {
    isSearch: false,
    find: (window) => db.deprecatedUse.findMany({ where, orderBy, select: { id: true }, ...window }),
    read: async (ids) =>
      (await rowsOf(ids)).map((row) =>
        circle === "applications" && row.user?.id !== userId ? { ...row, user: null } : row,
      ),
    count: () => db.deprecatedUse.count({ where, take: COUNTED_MAX + 1 }),
  });
}
