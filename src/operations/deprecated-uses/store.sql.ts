import { integer, integers, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";

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

/** The uses by a user, latest first. */
export const USES_OF_USER = listStatements({
  name: "deprecated_uses_of_user",
  parameters: { userId: integer },
  from: () => `"DeprecatedUse" r WHERE r."userId" = :userId`,
  order: `r."lastUsedAt" DESC, r."id" DESC`,
});
