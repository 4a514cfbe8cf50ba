import type { Db } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { caseVariantsOf } from "@/kernel/text/case-variants";
import type { DependentApplications } from "./rules";
import type { Holder } from "./store.sql";

export function heldBy({ kind, id }: Holder): Prisma.ApplicationWhereInput {
  if (kind === "group") return { groupId: id };
  return kind === "owner" ? { ownerId: id } : { OR: [{ ownerId: id }, { maintainerId: id }] };
}

/** The columns by which a list of applications is sorted. */
export type OwnedKey = Readonly<{ id: number; name: string; lastUsedAt: Date | null }>;

/**
 * Returns at most `most` applications of a user or of a group, newest first. An empty search matches every
 * name.
 */
export function ownedKeys(
  db: Db,
  holder: Holder,
  search: string,
  most: number,
): Promise<readonly OwnedKey[]> {
  const names = caseVariantsOf(search).map((text) => ({ name: { contains: literally(text) } }));
  // A text of fewer than 8 characters is not compared with Application IDs, because a short text would match
  // many random IDs.
  const uids = /^[0-9a-f]{8,}$/.test(search) ? [{ uid: { startsWith: search } }] : [];
  return db.application.findMany({
    where: { AND: [heldBy(holder), search === "" ? {} : { OR: [...names, ...uids] }] },
    select: { id: true, name: true, lastUsedAt: true },
    orderBy: { id: "desc" },
    take: most,
  });
}

/** Returns the query condition that selects the applications of a group and its descendants. */
const inTree = (groupId: number) => ({ group: { above: { some: { ancestorId: groupId } } } });

/**
 * Returns the number of applications of a group and its descendants, and the names of the `most` oldest of
 * these applications.
 */
export async function inGroup(
  db: Db,
  groupId: number,
  most: number,
): Promise<Readonly<{ count: number; names: readonly string[] }>> {
  const where = inTree(groupId);
  const select = { name: true } as const;
  const [count, rows] = await Promise.all([
    db.application.count({ where }),
    db.application.findMany({ where, select, orderBy: { id: "asc" }, take: most }),
  ]);
  return { count, names: rows.map(({ name }) => name) };
}

/** Returns the ids of the applications of a group and its descendants. */
export async function idsInGroup(db: Db, groupId: number): Promise<readonly number[]> {
  return (await db.application.findMany({ where: inTree(groupId), select: { id: true } })).map(
    ({ id }) => id,
  );
}

/** Returns the applications of a user that work only while the user is active, in two indexed queries. */
export async function dependentOn(db: Db, ownerId: number, most: number): Promise<DependentApplications> {
  const count = await db.application.count({ where: { ownerId, trusted: false, blockedAt: null } });
  if (count === 0) return { count, shown: [] };
  const rows = await db.$queryRaw<{ id: number; name: string; users: number | bigint }[]>`
    SELECT a."id", a."name", COUNT(DISTINCT f."userId") AS "users"
    FROM "Application" a
    LEFT JOIN "TokenFamily" f ON f."applicationId" = a."id" AND f."revokedAt" IS NULL
      AND f."grantType" <> 'client_credentials'
    WHERE a."ownerId" = ${ownerId} AND NOT a."trusted" AND a."blockedAt" IS NULL
    GROUP BY a."id", a."name" ORDER BY "users" DESC, a."id" LIMIT ${most}`;
  return { count, shown: rows.map(({ users, ...row }) => ({ ...row, users: Number(users) })) };
}
