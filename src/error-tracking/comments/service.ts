import { type User, userStateOf } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { reserve } from "@/instance/rate-limits/counter";
import { limitOf, readSettings } from "@/instance/settings/service";
import type { Deps } from "@/kernel/deps/deps";
import type { OffsetPaging, Page } from "@/kernel/paging/paging";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { lockProject } from "@/workspace/projects/service";
import { findErrorSummary } from "../tracked-errors/service";
import { COMMENTS_MAX, mayRemoveComment } from "./rules";
import { storedComment } from "./schema";
import * as store from "./store";

/** A comment of a user on a tracked error. */
export type ErrorComment = Readonly<{
  id: number;
  errorId: number;
  /** The text of the comment, in Markdown. */
  body: string;
  createdAt: Date;
  author: Pick<User, "id" | "username" | "name" | "state" | "avatarDigest">;
}>;

const commentOf = ({ author, ...row }: store.CommentRow): ErrorComment => ({
  ...row,
  author: { ...author, state: userStateOf(author.state) },
});

const errorExists = async (deps: Deps, project: AuthorizedProject, errorId: number): Promise<boolean> =>
  (await findErrorSummary(deps, project.id, errorId)) !== null;

/**
 * Returns a page of the comments on a tracked error, oldest first or newest first. The result is null if the
 * project has no tracked error with this id.
 */
export async function listComments(
  deps: Deps,
  project: AuthorizedProject,
  errorId: number,
  { paging, newestFirst }: Readonly<{ paging: OffsetPaging; newestFirst: boolean }>,
): Promise<(Page<ErrorComment> & Readonly<{ total: number }>) | null> {
  if (!(await errorExists(deps, project, errorId))) return null;
  const { rows, total } = await store.list(deps.reads, errorId, paging, newestFirst);
  return { rows: rows.map(commentOf), total: total ?? COMMENTS_MAX, next: null };
}

/**
 * Reasons why a comment was not added: the tracked error is unknown, the tracked error has too many comments,
 * or the user has written too many comments.
 */
export type CommentRefusal = "no_error" | "full" | "limited";

/**
 * Adds a comment to a tracked error. The caller must check the role of the user and the length of the
 * comment.
 */
export async function addComment(
  deps: Deps,
  project: AuthorizedProject,
  { errorId, body, author }: Readonly<{ errorId: number; body: string; author: User }>,
): Promise<Readonly<{ comment: ErrorComment; total: number }> | CommentRefusal> {
  if (!(await errorExists(deps, project, errorId))) return "no_error";
  const limit = limitOf(await readSettings(deps), "error_comment_per_user", String(author.id));
  if ((await reserve(deps.db, [limit], deps.clock())) !== null) return "limited";
  return deps.transaction(async (within) => {
    await lockProject(within, project.id);
    if (!(await errorExists(within, project, errorId))) return "no_error";
    const before = await store.count(within.db, errorId);
    if (before >= COMMENTS_MAX) return "full";
    const row = { errorId, authorId: author.id, body: storedComment(body), createdAt: within.clock() };
    const comment = commentOf(await store.insert(within.db, row));
    await audit.record(within, "error_comment.created", detailsOf(project, comment), { userId: author.id });
    return { comment, total: before + 1 };
  });
}

const detailsOf = (project: AuthorizedProject, { id, errorId, author }: ErrorComment) => ({
  ...{ id: project.id, path: project.fullPath },
  ...{ errorId, commentId: id, authorId: author.id },
});

/** Deletes a comment for its author, or for a user who maintains the project. */
export const removeComment = (
  deps: Deps,
  project: AuthorizedProject,
  { errorId, commentId, by }: Readonly<{ errorId: number; commentId: number; by: User }>,
): Promise<"removed" | "not_found" | "not_allowed"> =>
  deps.transaction(async (within) => {
    const row = (await errorExists(within, project, errorId))
      ? await store.find(within.db, errorId, commentId)
      : null;
    if (row === null) return "not_found";
    if (!mayRemoveComment(row.author.id, { userId: by.id, role: project.role })) return "not_allowed";
    if (!(await store.remove(within.db, commentId))) return "not_found";
    await audit.record(within, "error_comment.removed", detailsOf(project, commentOf(row)), {
      userId: by.id,
    });
    return "removed";
  });

/** A comment of a user, for the export of the user's data. */
export type OwnComment = Readonly<{
  id: number;
  projectId: number;
  errorId: number;
  body: string;
  createdAt: Date;
}>;

/**
 * Returns the comments of a user that follow the comment with the id `after`, oldest first. The function does
 * not check the access of the caller.
 */
export async function commentsOfUser(
  deps: Pick<Deps, "db">,
  userId: number,
  { after, most }: Readonly<{ after: number; most: number }>,
): Promise<readonly OwnComment[]> {
  const rows = await store.listOfAuthor(deps.db, userId, after, most);
  return rows.map(({ error, ...row }) => ({ ...row, projectId: error.projectId }));
}
