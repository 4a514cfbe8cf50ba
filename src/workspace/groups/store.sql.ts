import { integer, integers, text } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type IsIn, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";
import { OPEN_ROWS } from "../members/visibility-filter";
import { GROUP_COLUMNS, type GroupRow } from "./group-columns";

const BY_PATH = statement({
  name: "group_by_path",
  parameters: { fullPathLower: text },
  columns: GROUP_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "Group" g WHERE g."fullPathLower" = :fullPathLower`,
});

/** Returns the group with this full path in lower case, or null. */
export const findByPath = (reads: Reads, fullPathLower: string): Eventually<GroupRow | null> =>
  reads.first(BY_PATH, { fullPathLower });

const BY_IDS = statement({
  name: "groups_by_id",
  parameters: { ids: integers },
  columns: GROUP_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "Group" g WHERE ${isIn(`g."id"`, ":ids")}`),
});

/** Returns the groups with these ids, in any order. */
export const findByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly GroupRow[]> =>
  reads.all(BY_IDS, { ids });

/** The parameters of the prepared lists. Each statement uses only some of the parameters. */
const LIST_PARAMETERS = { parentId: integer, groupIds: integers, ancestorIds: integers };

/** Returns the SQL condition that selects the groups `r` with the ids `:groupIds`, and their descendants. */
const isMember = (
  isIn: IsIn,
): string => `(${isIn(`r."parentId"`, ":groupIds")} OR ${isIn(`r."id"`, ":groupIds")}
  OR EXISTS (SELECT 1 FROM "GroupAncestor" a
    WHERE a."groupId" = r."id" AND ${isIn(`a."ancestorId"`, ":groupIds")}))`;

const children = (isIn: IsIn): string => `"Group" r WHERE ${isIn(`r."parentId"`, ":groupIds")}`;

/**
 * The parts of the statements for each set of groups: all groups, the groups that a signed-in user can see, the
 * groups in which a user is a member, and the direct subgroups of a group.
 */
const SETS = {
  all: { from: () => `"Group" r` },
  visible: {
    from: (isIn: IsIn) => `"Group" r WHERE ${isMember(isIn)} OR ${isIn(`r."id"`, ":ancestorIds")}
      OR ${OPEN_ROWS}`,
    sufficient: children,
  },
  member: { from: (isIn: IsIn) => `"Group" r WHERE ${isMember(isIn)}`, sufficient: children },
  parent: { from: () => `"Group" r WHERE r."parentId" = :parentId` },
} as const;
type SetName = keyof typeof SETS;

const inOrder = (set: SetName, direction: "ASC" | "DESC") =>
  listStatements({
    ...SETS[set],
    name: `groups_${set}_${direction.toLowerCase()}`,
    parameters: LIST_PARAMETERS,
    order: `r."id" ${direction}`,
  });
const inBothOrders = (set: SetName) => ({
  ascending: inOrder(set, "ASC"),
  descending: inOrder(set, "DESC"),
});

/** The prepared lists of groups by set and order. */
export const GROUP_LISTS = {
  all: inBothOrders("all"),
  visible: inBothOrders("visible"),
  member: inBothOrders("member"),
  parent: inBothOrders("parent"),
} as const satisfies Record<SetName, unknown>;
