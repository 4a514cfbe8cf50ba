import { integers, text } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";
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

const inState = (direction: "ASC" | "DESC") =>
  listStatements({
    name: `users_in_state_${direction.toLowerCase()}`,
    parameters: { state: text },
    from: () => `"User" r WHERE r."state" = :state`,
    order: `r."id" ${direction}`,
  });

/** The users in one state, ordered by id. */
export const USERS_IN_STATE = { ascending: inState("ASC"), descending: inState("DESC") } as const;
