import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";

const COLUMNS = {
  id: [`c."id"`, integer],
  errorId: [`c."errorId"`, integer],
  body: [`c."body"`, text],
  createdAt: [`c."createdAt"`, time],
  author: {
    id: [`u."id"`, integer],
    username: [`u."username"`, text],
    name: [`u."name"`, text],
    state: [`u."state"`, text],
    avatarDigest: [`u."avatarDigest"`, nullable(text)],
  },
} as const;

const BY_IDS = statement({
  name: "error_comments_by_id",
  parameters: { ids: integers },
  columns: COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "ErrorComment" c JOIN "User" u ON u."id" = c."authorId"
    WHERE ${isIn(`c."id"`, ":ids")}`,
  ),
});

/** Returns the comments with these ids and their authors, in any order. */
export const findByIds = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly RowOf<typeof COLUMNS>[]> => reads.all(BY_IDS, { ids });

const inOrder = (direction: "ASC" | "DESC") =>
  listStatements({
    name: `error_comments_${direction.toLowerCase()}`,
    parameters: { errorId: integer },
    from: () => `"ErrorComment" r WHERE r."errorId" = :errorId`,
    order: `r."id" ${direction}`,
  });

/** The comments on a tracked error, ordered by id. */
export const COMMENTS = { ascending: inOrder("ASC"), descending: inOrder("DESC") } as const;
