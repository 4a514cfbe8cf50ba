import type { Db } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Reads } from "@/kernel/db/prepared";
import { pageOfList } from "@/kernel/paging/list-statements";
import type { OffsetPaging, Page } from "@/kernel/paging/paging";
import * as sql from "./store.sql";

const COLUMNS = {
  id: true,
  errorId: true,
  body: true,
  createdAt: true,
  author: { select: { id: true, username: true, name: true, state: true, avatarDigest: true } },
} as const satisfies Prisma.ErrorCommentSelect;

export type CommentRow = Prisma.ErrorCommentGetPayload<{ select: typeof COLUMNS }>;

/** Returns a page of the comments on a tracked error, ordered by id. */
export const list = (
  reads: Reads,
  errorId: number,
  paging: OffsetPaging,
  descending: boolean,
): Promise<Page<CommentRow>> =>
  pageOfList(reads, sql.COMMENTS[descending ? "descending" : "ascending"], { errorId }, paging, async (ids) =>
    sql.findByIds(reads, ids),
  );

/**
 * Returns the number of comments on a tracked error. The number is limited, so a query that counts them is
 * fast.
 */
export const count = (db: Db, errorId: number): Promise<number> =>
  db.errorComment.count({ where: { errorId } });

export const insert = (
  db: Db,
  comment: Readonly<{ errorId: number; authorId: number; body: string; createdAt: Date }>,
): Promise<CommentRow> => db.errorComment.create({ data: comment, select: COLUMNS });

export const find = (db: Db, errorId: number, id: number): Promise<CommentRow | null> =>
  db.errorComment.findFirst({ where: { id, errorId }, select: COLUMNS });

/**
 * Deletes a comment.
 * @returns whether this call deleted the comment.
 */
export const remove = async (db: Db, id: number): Promise<boolean> =>
  (await db.errorComment.deleteMany({ where: { id } })).count === 1;

/** Returns the comments of a user that follow the comment with the id `after`, oldest first. */
export const listOfAuthor = (db: Db, authorId: number, after: number, most: number) =>
  db.errorComment.findMany({
    where: { authorId, id: { gt: after } },
    orderBy: { id: "asc" },
    take: most,
    select: { id: true, errorId: true, body: true, createdAt: true, error: { select: { projectId: true } } },
  });

/**
 * Assigns one batch of the comments of a user to another user, or deletes these comments if `to` is null.
 * @returns the number of changed or deleted comments.
 */
export async function releaseSome(db: Db, from: number, to: number | null, most: number): Promise<number> {
  const rows = await db.errorComment.findMany({
    where: { authorId: from },
    select: { id: true },
    take: most,
  });
  const where = { authorId: from, id: { in: rows.map(({ id }) => id) } };
  if (to === null) await db.errorComment.deleteMany({ where });
  else await db.errorComment.updateMany({ where, data: { authorId: to } });
  return rows.length;
}
