import { integer, integers, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import { COUNTED_MAX } from "@/kernel/paging/paging";

const COLUMNS = {
  id: [`d."id"`, integer],
  name: [`d."name"`, text],
  count: [`d."count"`, integer],
  lastUsedAt: [`d."lastUsedAt"`, time],
  user: optional({
    id: [`u."id"`, integer],
    username: [`u."username"`, text],
    name: [`u."name"`, text],
  }),
  application: optional({
    id: [`a."id"`, integer],
    name: [`a."name"`, text],
    uid: [`a."uid"`, text],
  }),
} as const;

const BY_IDS = statement({
  name: "deprecated_uses_by_id",
  parameters: { ids: integers },
  columns: COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "DeprecatedUse" d
    LEFT JOIN "User" u ON u."id" = d."userId"
    LEFT JOIN "Application" a ON a."id" = d."applicationId"
    WHERE ${isIn(`d."id"`, ":ids")}`,
  ),
});

/** Returns the deprecated uses with these ids, in any order. */
export const findByIds = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly RowOf<typeof COLUMNS>[]> => reads.all(BY_IDS, { ids });

const IDS_OF_USER = statement({
  name: "deprecated_use_ids_of_user",
  parameters: { userId: integer, skip: integer, take: integer },
  columns: { id: [`d."id"`, integer] },
  sql: (columns) => `SELECT ${columns} FROM "DeprecatedUse" d WHERE d."userId" = :userId
    ORDER BY d."lastUsedAt" DESC, d."id" DESC LIMIT :take OFFSET :skip`,
});

/** Returns the ids of some uses by a user, latest first: `take` rows after the first `skip` rows. */
export const listIdsOfUser = (
  reads: Reads,
  userId: number,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Eventually<readonly Readonly<{ id: number }>[]> => reads.all(IDS_OF_USER, { userId, skip, take });

const COUNT_OF_USER = statement({
  name: "count_deprecated_uses_of_user",
  parameters: { userId: integer },
  columns: { count: [`CAST(count(*) AS INTEGER)`, integer] },
  sql: (columns) => `SELECT ${columns} FROM (
    SELECT 1 FROM "DeprecatedUse" d WHERE d."userId" = :userId LIMIT ${COUNTED_MAX + 1}) d`,
});

/** Counts the uses by a user, up to `COUNTED_MAX + 1`. */
export const countOfUser = async (reads: Reads, userId: number): Promise<number> =>
  (await reads.first(COUNT_OF_USER, { userId }))?.count ?? 0;
