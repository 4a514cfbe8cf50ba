"use server";

import { redirect } from "next/navigation";
import { systemDeps } from "@/kernel/deps/deps";
import { readId, readReference, urlWithQuery } from "@/kernel/http/query";
import { setFlash } from "@/ui/appearance/flash";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { errorsPath } from "../tracked-errors/loaders";
import { commentUrl } from "./loaders";
import { COMMENT_CHARACTERS_MAX, COMMENTS_MAX, LEAST_TO_COMMENT } from "./rules";
import { readComment } from "./schema";
import { addComment, type CommentRefusal, removeComment } from "./service";

/** The state of the comment form: the entered text, and the reason why the comment was not added. */
export type CommentState = Readonly<{ draft: string; problem: string | null }>;

const PROBLEMS: Readonly<Record<Exclude<CommentRefusal, "no_error">, string>> = {
  full: `This error has ${COMMENTS_MAX} comments, which is the maximum. Delete comments that are no longer needed.`,
  limited: "You have written too many comments. Try again in a few minutes.",
};

/** The project, the user and the tracked error to which a submitted form refers. */
async function placeOf(form: FormData) {
  const { project, session } = await requireProject(
    readReference(form, "project"),
    errorsPath,
    LEAST_TO_COMMENT,
  );
  const errorId = readId(readReference(form, "error")) ?? 0;
  const list = errorsPath(`${PROJECTS}/${project.id}`);
  return { project, user: session.user, errorId, list, home: `${list}/${errorId}` };
}

/** Adds a comment to a tracked error. If the comment cannot be added, its text stays in the form. */
export async function submitComment(_before: CommentState, form: FormData): Promise<CommentState> {
  const { project, user, errorId, list, home } = await placeOf(form);
  const draft = readComment(form);
  if (draft === "") return { draft, problem: "Enter a comment." };
  if (draft.length > COMMENT_CHARACTERS_MAX)
    return {
      draft,
      problem: `The comment is too long. Shorten the comment to ${COMMENT_CHARACTERS_MAX.toLocaleString("en")} characters.`,
    };
  const outcome = await addComment(systemDeps(), project, { errorId, body: draft, author: user });
  if (outcome === "no_error") redirect(list);
  if (typeof outcome === "string") return { draft, problem: PROBLEMS[outcome] };
  await setFlash("The comment is added.");
  return redirect(commentUrl(home, outcome.comment.id, outcome.total));
}

const REMOVED = {
  removed: "The comment is deleted.",
  not_found: "The comment is already deleted.",
  not_allowed: "You do not have permission to delete this comment.",
} as const;

/** Deletes a comment. */
export async function deleteComment(form: FormData): Promise<void> {
  const { project, user, errorId, home } = await placeOf(form);
  const commentId = readId(readReference(form, "comment")) ?? 0;
  const outcome = await removeComment(systemDeps(), project, { errorId, commentId, by: user });
  await setFlash(REMOVED[outcome]);
  // The URL contains a query, because the page framework does not render the page again after a redirect that
  // changes only the fragment.
  redirect(`${urlWithQuery(home, { deleted: String(commentId) })}#comments`);
}
