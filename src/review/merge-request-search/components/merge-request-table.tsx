import { visibleName } from "@/code/repositories/shown-text";
import { Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { StateBadge, StatusBadge } from "../../merge-requests/components/merge-request-badges";
import type { loadMergeRequests } from "../loaders";

type Page = Awaited<ReturnType<typeof loadMergeRequests>>;

const COLUMNS = [{ name: "Merge request" }, { name: "State" }, { name: "Opened" }];

/** Merge requests, the newest first. */
export function MergeRequestTable({
  mergeRequests,
  home,
  now,
}: Pick<Page, "mergeRequests" | "home" | "now">) {
  const rows = mergeRequests.map((one) => ({
    key: one.id,
    cells: [
      <div key="what" className="grid min-w-0 gap-0.5">
        <a href={`${home}/${one.iid}`} className="font-semibold">
          <bdi className="line-clamp-3 wrap-anywhere">{visibleName(one.title)}</bdi>
        </a>
        <span className="text-muted text-small wrap-anywhere">
          !{one.iid} <bdi>{visibleName(one.sourceBranch)}</bdi> into{" "}
          <bdi>{visibleName(one.targetBranch)}</bdi>
        </span>
      </div>,
      <span key="state" className="flex flex-wrap gap-2">
        <StateBadge state={one.state} />
        <StatusBadge status={one.status} />
      </span>,
      <span key="opened" className="text-muted">
        <Ago at={one.createdAt} now={now} /> by{" "}
        <bdi className="wrap-anywhere">{one.author?.name ?? "somebody who is gone"}</bdi>
      </span>,
    ],
  }));
  return <Table caption="Merge requests" columns={COLUMNS} rows={rows} />;
}
