import { integers } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { USER_COLUMNS } from "../user-columns";

/** A stored user without the columns that only sign-in needs. */
export type UserRow = RowOf<typeof USER_COLUMNS>;

const BY_IDS = statement({
  name: "users_by_id",
  parameters: { ids: integers },
  columns: USER_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "User" u WHERE ${isIn(`u."id"`, ":ids")}`),
});

/** Returns the users with these ids, in any order. */
export const findByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly UserRow[]> =>
  reads.all(BY_IDS, { ids });
