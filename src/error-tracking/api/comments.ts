import { z } from "zod";
import { COMMENT_CHARACTERS_MAX } from "@/error-tracking/comments/rules";
import * as comments from "@/error-tracking/comments/service";
import { ApiError, conflict, forbidden, notFound } from "@/http-api/errors";
import { id, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { InProject } from "@/workspace/api/access-rules";
import type { ShownComment } from "./entities/error-note";
import { errorReference } from "./tracked-errors";

export const commentSearch = errorReference.extend({
  sort: z.enum(["asc", "desc"]).default("desc").describe("Return the oldest or the newest comments first."),
});

/**
 * Returns a page of the comments on a tracked error.
 * @throws ApiError 404 if the project has no tracked error with this id.
 */
export async function listErrorComments(
  deps: Deps,
  { project }: InProject,
  { error_id, sort }: z.infer<typeof commentSearch>,
  { perPage, ...paging }: Paging,
): Promise<Page<ShownComment>> {
  const page = paging.kind === "offset" ? paging.page : 1;
  const result = await comments.listComments(deps, project, error_id, {
    paging: { kind: "offset", page, perPage },
    newestFirst: sort === "desc",
  });
  if (result === null) throw notFound("Error");
  return { ...result, rows: result.rows.map((comment) => ({ project, comment })) };
}

/** The text of a comment. */
export const commentBody = text(COMMENT_CHARACTERS_MAX)
  .min(1)
  .describe("The text of the comment, in Markdown.");

export const newComment = errorReference.extend({ body: commentBody });

/**
 * Adds a comment to a tracked error.
 * @throws ApiError 404 if the tracked error is unknown, 409 if the tracked error has too many comments, 429
 * if the user has written too many comments.
 */
export async function createErrorComment(
  deps: Deps,
  { project, user }: InProject,
  { error_id, body }: z.infer<typeof newComment>,
): Promise<ShownComment> {
  const outcome = await comments.addComment(deps, project, { errorId: error_id, body, author: user });
  if (outcome === "no_error") throw notFound("Error");
  if (outcome === "full") throw conflict("The tracked error has too many comments. Delete comments first.");
  if (outcome === "limited") throw tooManyComments();
  return { project, comment: outcome.comment };
}

const tooManyComments = (): ApiError =>
  new ApiError(429, {
    message: "429 Too Many Requests - You have written too many comments. Try again later.",
  });

export const commentReference = errorReference.extend({ note_id: id });

/**
 * Deletes a comment.
 * @throws ApiError 404 if the comment is unknown, 403 if the user may not delete it.
 */
export async function removeErrorComment(
  deps: Deps,
  { project, user }: InProject,
  { error_id, note_id }: z.infer<typeof commentReference>,
): Promise<void> {
  const place = { errorId: error_id, commentId: note_id, by: user };
  const outcome = await comments.removeComment(deps, project, place);
  if (outcome === "not_found") throw notFound("Note");
  if (outcome === "not_allowed") throw forbidden();
}
