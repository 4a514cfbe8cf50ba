import { integer, integers } from "@/kernel/db/column-types";
import type { Reads } from "@/kernel/db/prepared";
import { statement, withList } from "@/kernel/db/statement";

const DESCENDANTS = statement({
  name: "group_descendants",
  parameters: { groupIds: integers, most: integer },
  columns: { groupId: [`a."groupId"`, integer] },
  // An index contains the rows in the order of ids. If the statement used another order, the database would
  // have to sort all rows.
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "GroupAncestor" a WHERE ${isIn(`a."ancestorId"`, ":groupIds")}
    ORDER BY a."ancestorId" LIMIT :most`,
  ),
});

/** Returns at most `most` ids of groups and their descendants, possibly with duplicates. */
export async function listDescendants(
  reads: Reads,
  groupIds: readonly number[],
  most: number,
): Promise<readonly number[]> {
  return (await reads.all(DESCENDANTS, { groupIds, most })).map(({ groupId }) => groupId);
}

const ANCESTORS = statement({
  name: "group_ancestors",
  parameters: { groupIds: integers, projectIds: integers },
  columns: { ancestorId: [`a."ancestorId"`, integer] },
  sql: withList(
    (columns, isIn) => `
    SELECT DISTINCT ${columns} FROM "GroupAncestor" a
    WHERE ${isIn(`a."groupId"`, ":groupIds")}
      OR a."groupId" IN (SELECT p."groupId" FROM "Project" p WHERE ${isIn(`p."id"`, ":projectIds")})`,
  ),
});

/**
 * Returns the ids of the given groups, of the groups to which the given projects belong, and of all ancestors of
 * these groups.
 */
export async function listAncestors(
  reads: Reads,
  { groupIds, projectIds = [] }: Readonly<{ groupIds: readonly number[]; projectIds?: readonly number[] }>,
): Promise<readonly number[]> {
  return (await reads.all(ANCESTORS, { groupIds, projectIds })).map(({ ancestorId }) => ancestorId);
}

const TOP_LEVEL = statement({
  name: "top_level_groups",
  parameters: { groupIds: integers },
  columns: { id: [`g."id"`, integer] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "Group" g WHERE ${isIn(`g."id"`, ":groupIds")} AND g."parentId" IS NULL`,
  ),
});

/** Returns the ids of those of the given groups that have no parent. */
export async function listTopLevel(reads: Reads, groupIds: readonly number[]): Promise<readonly number[]> {
  return (await reads.all(TOP_LEVEL, { groupIds })).map(({ id }) => id);
}
