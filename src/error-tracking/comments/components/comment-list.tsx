import { UserAvatar } from "@/identity/users/components/user-avatar";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { isolated } from "@/ui/isolated";
import { Markdown } from "@/ui/markdown";
import { Pager } from "@/ui/pager";
import type { Section } from "@/ui/section-nav";
import { Ago } from "@/ui/time";
import { deleteComment, submitComment } from "../actions";
import type { loadComments } from "../loaders";
import { COMMENT_CHARACTERS_MAX } from "../rules";
import { CommentForm } from "./comment-form";

type Page = Awaited<ReturnType<typeof loadComments>>;

export const COMMENTS_SECTION: Section = { id: "comments", label: "Comments" };

/** The comments on a tracked error, oldest first, and the form for another comment. */
export function CommentList({ projectId, errorId, total, comments, mayComment, pager, now }: Page) {
  return (
    <div id={COMMENTS_SECTION.id} className="scroll-mt-4">
      <Card title={total === 0 ? "Comments" : `Comments (${total})`}>
        {total > 0 ? null : (
          <p className="text-muted">
            No comments yet.{" "}
            {mayComment
              ? "Describe the cause of the error, or name the person who works on the error."
              : null}
          </p>
        )}
        {comments.length === 0 ? null : (
          <ol className="grid gap-6">
            {comments.map((comment) => (
              <Comment key={comment.id} {...{ comment, projectId, now }} />
            ))}
          </ol>
        )}
        <Pager {...pager} />
        {mayComment ? (
          <CommentForm
            action={submitComment}
            projectId={projectId}
            errorId={errorId}
            charactersMax={COMMENT_CHARACTERS_MAX}
          />
        ) : null}
      </Card>
    </div>
  );
}

function Comment(props: {
  readonly comment: Page["comments"][number];
  readonly projectId: number;
  readonly now: Date;
}) {
  const { comment, projectId, now } = props;
  const { author } = comment;
  return (
    <li
      id={`comment-${comment.id}`}
      className="grid min-w-0 scroll-mt-4 grid-cols-[auto_minmax(0,1fr)] gap-3"
    >
      <UserAvatar user={author} />
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <p className="min-w-0 wrap-anywhere">
            <bdi className="font-semibold">{author.name}</bdi>{" "}
            <span className="text-muted text-small">
              @{author.username} · <Ago at={comment.createdAt} now={now} />
            </span>
          </p>
          {comment.mayRemove ? (
            <Confirm
              id={`delete-comment-${comment.id}`}
              size="small"
              summary="Delete"
              title={`Delete the comment of ${isolated(author.name)}?`}
              question="The comment is deleted for all users and cannot be restored."
            >
              <form action={deleteComment}>
                <input type="hidden" name="project" value={projectId} />
                <input type="hidden" name="error" value={comment.errorId} />
                <input type="hidden" name="comment" value={comment.id} />
                <Button kind="danger">Delete comment</Button>
              </form>
            </Confirm>
          ) : null}
        </div>
        {comment.html === null ? (
          <p className="whitespace-pre-line wrap-anywhere" dir="auto">
            {comment.body}
          </p>
        ) : (
          <Markdown html={comment.html} />
        )}
      </div>
    </li>
  );
}
