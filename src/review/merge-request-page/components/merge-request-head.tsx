import { codePageUrl } from "@/code/repositories/code-url";
import { UserAvatar } from "@/identity/users/components/user-avatar";
import { visible, visibleName } from "@/kernel/text/visible";
import { ButtonLink } from "@/ui/button";
import { Markdown } from "@/ui/markdown";
import { Ago } from "@/ui/time";
import { StateBadge } from "../../merge-requests/components/merge-request-badges";
import type { loadMergeRequest } from "../loaders";

type Page = Awaited<ReturnType<typeof loadMergeRequest>>;

/**
 * The title, the author and the branches of a merge request. The name of a deleted branch is shown without a
 * link.
 */
export function MergeRequestHead({
  mergeRequest,
  project,
  descriptionHtml,
  mayChange,
  hasBranch,
  now,
}: Page) {
  const branch = (name: string) => {
    const shown = <bdi className="wrap-anywhere">{visibleName(name)}</bdi>;
    if (!hasBranch(name)) return shown;
    return <a href={codePageUrl("tree", { project, ref: name, path: "" })}>{shown}</a>;
  };
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h1 className="min-w-0 font-semibold text-title wrap-anywhere">
          <bdi>{visibleName(mergeRequest.title)}</bdi>{" "}
          <span className="font-normal text-muted">!{mergeRequest.iid}</span>
        </h1>
        {mayChange ? (
          <ButtonLink href={`/projects/${project}/merge_requests/${mergeRequest.iid}/edit`}>Edit</ButtonLink>
        ) : null}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small">
        <StateBadge state={mergeRequest.state} />
        {mergeRequest.author === null ? null : <UserAvatar user={mergeRequest.author} size="tiny" />}
        <span className="text-muted wrap-anywhere">
          <bdi>{mergeRequest.author?.name ?? "A deleted user"}</bdi> requested to merge{" "}
          {branch(mergeRequest.sourceBranch)} into {branch(mergeRequest.targetBranch)}{" "}
          <Ago at={mergeRequest.createdAt} now={now} />
        </span>
      </p>
      {mergeRequest.labels.length === 0 ? null : (
        <p className="text-muted text-small wrap-anywhere">
          Labels: {mergeRequest.labels.map(visibleName).join(", ")}
        </p>
      )}
      <Description text={mergeRequest.description} html={descriptionHtml} />
    </div>
  );
}

/** The description of a merge request. A description that cannot be rendered is shown as plain text. */
function Description({ text, html }: { readonly text: string; readonly html: string | null }) {
  if (text.trim() === "") return null;
  if (html !== null) return <Markdown html={html} />;
  return (
    <p className="whitespace-pre-line wrap-anywhere" dir="auto">
      {visible(text)}
    </p>
  );
}
