import { UserAvatar } from "@/identity/users/components/user-avatar";
import { visibleName } from "@/kernel/text/visible";
import { Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { StateBadge, StatusBadge } from "../../merge-requests/components/merge-request-badges";
import type { loadMergeRequests } from "../loaders";

type Page = Awaited<ReturnType<typeof loadMergeRequests>>;

const COLUMNS = [{ name: "Merge request" }, { name: "State" }, { name: "Opened" }];

/** A table of merge requests, newest first. */
export function MergeRequestTable({
  mergeRequests,
  home,
  now,
}: Pick<Page, "mergeRequests" | "home" | "now">) {
  const rows = mergeRequests.map((mergeRequest) => ({
    key: mergeRequest.id,
    cells: [
      <div key="title" className="grid min-w-0 gap-0.5 md:gap-0">
        <a href={`${home}/${mergeRequest.iid}`} className="font-semibold">
          <bdi className="line-clamp-3 wrap-anywhere">{visibleName(mergeRequest.title)}</bdi>
        </a>
        <span className="text-muted text-small wrap-anywhere">
          !{mergeRequest.iid} <bdi>{visibleName(mergeRequest.sourceBranch)}</bdi> into{" "}
          <bdi>{visibleName(mergeRequest.targetBranch)}</bdi>
        </span>
      </div>,
      <span key="state" className="flex flex-wrap gap-2">
        <StateBadge state={mergeRequest.state} />
        <StatusBadge status={mergeRequest.status} />
      </span>,
      <span key="opened" className="flex min-w-0 items-center gap-2 text-muted">
        {mergeRequest.author === null ? null : <UserAvatar user={mergeRequest.author} />}
        <span className="min-w-0">
          <Ago at={mergeRequest.createdAt} now={now} /> by{" "}
          <bdi className="wrap-anywhere">{mergeRequest.author?.name ?? "a deleted user"}</bdi>
        </span>
      </span>,
    ],
  }));
  return <Table caption="Merge requests" columns={COLUMNS} rows={rows} />;
}
