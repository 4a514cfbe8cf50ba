import { integers, text } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { statement, withList } from "@/kernel/db/statement";
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
