import { notFound } from "next/navigation";
import { reaches } from "@/access/roles";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, urlWithQuery } from "@/kernel/http/query";
import { renderMarkdown } from "@/kernel/markdown/markdown";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { errorsPath } from "../tracked-errors/loaders";
import { LEAST_TO_READ } from "../tracked-errors/rules";
import { LEAST_TO_COMMENT, mayRemoveComment } from "./rules";
import { type ErrorComment, listComments } from "./service";

const COMMENTS_SHOWN = 20;

/**
 * Returns the URL of a comment on the page of its tracked error. The URL contains the number of the page of
 * comments on which the comment is shown. The query parameter `comment` makes each URL different, because the
 * page framework does not render a page again after a redirect that changes only the fragment.
 * @param place the position of the comment in the list, starting at 1.
 */
export function commentUrl(home: string, commentId: number, place: number): string {
  const page = Math.ceil(place / COMMENTS_SHOWN);
  const query = { page: page > 1 ? String(page) : "", comment: String(commentId) };
  return `${urlWithQuery(home, query)}#comment-${commentId}`;
}

/** Relative URLs in a comment are not resolved, because a tracked error belongs to no folder. */
const NO_RELATIVE_URLS = { key: "error-comment", link: () => null, picture: () => null } as const;

const bodyHtml = ({ body }: ErrorComment): string | null =>
  renderMarkdown(body, { headingsBelow: 3, urls: NO_RELATIVE_URLS });

/** Returns a page of the comments on a tracked error, oldest first. */
export async function loadComments(id: string, errorId: string, query: Query) {
  const path = (home: string) => `${errorsPath(home)}/${encodeURIComponent(errorId)}`;
  const { project, session } = await requireProject(id, path, LEAST_TO_READ);
  const deps = systemDeps();
  const trackedErrorId = readId(errorId) ?? notFound();
  const paging = offsetPagingIn(query, COMMENTS_SHOWN);
  const page =
    (await listComments(deps, project, trackedErrorId, { paging, newestFirst: false })) ?? notFound();
  const viewer = { userId: session.user.id, role: project.role };
  return {
    projectId: project.id,
    errorId: trackedErrorId,
    total: page.total,
    comments: page.rows.map((comment) => ({
      ...comment,
      html: bodyHtml(comment),
      mayRemove: mayRemoveComment(comment.author.id, viewer),
    })),
    mayComment: reaches(project.role, LEAST_TO_COMMENT),
    pager: offsetLinks(paging, page, path(`${PROJECTS}/${project.id}`)),
    now: deps.clock(),
  };
}
