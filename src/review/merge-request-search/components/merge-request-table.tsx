import { UserAvatar } from "@/identity/users/components/user-avatar";
import { visibleName } from "@/kernel/text/visible";
import { isolated } from "@/ui/isolated";
import { OneLine } from "@/ui/one-line";
import { type Column, Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { StateBadge, StatusBadge } from "../../merge-requests/components/merge-request-badges";
import type { loadMergeRequests } from "../loaders";

type Page = Awaited<ReturnType<typeof loadMergeRequests>>;
type OfRow = Readonly<{ mergeRequest: Page["mergeRequests"][number] }>;

const COLUMNS: readonly Column[] = [
  { name: "Merge request", width: "half" },
  { name: "State" },
  { name: "Opened", width: "quarter" },
];

/** A table of merge requests, newest first. */
export function MergeRequestTable({
  mergeRequests,
  home,
  now,
}: Pick<Page, "mergeRequests" | "home" | "now">) {
  const rows = mergeRequests.map((mergeRequest) => ({
    key: mergeRequest.id,
    cells: [
      <Identity key="title" mergeRequest={mergeRequest} home={home} />,
      <span key="state" className="flex flex-wrap gap-2 lg:flex-nowrap">
        <StateBadge state={mergeRequest.state} />
        <StatusBadge status={mergeRequest.status} />
      </span>,
      <Opened key="opened" mergeRequest={mergeRequest} now={now} />,
    ],
  }));
  return <Table caption="Merge requests" columns={COLUMNS} rows={rows} />;
}

function Identity({ mergeRequest, home }: OfRow & Pick<Page, "home">) {
  const { iid } = mergeRequest;
  const [title, source, target] = [
    visibleName(mergeRequest.title),
    visibleName(mergeRequest.sourceBranch),
    visibleName(mergeRequest.targetBranch),
  ];
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
      <a href={`${home}/${iid}`} className="font-semibold">
        <OneLine text={title} className="max-md:line-clamp-3" />
      </a>
      <OneLine
        text={`!${iid} ${isolated(source)} into ${isolated(target)}`}
        className="text-muted text-small"
      >
        !{iid} <bdi>{source}</bdi> into <bdi>{target}</bdi>
      </OneLine>
    </div>
  );
}

function Opened({ mergeRequest: { author, createdAt }, now }: OfRow & Pick<Page, "now">) {
  const name = author?.name ?? "a deleted user";
  return (
    <span className="flex min-w-0 items-center gap-2 text-muted">
      {author === null ? null : <UserAvatar user={author} />}
      <span className="min-w-0 lg:grid lg:grid-cols-[minmax(0,1fr)]">
        <Ago at={createdAt} now={now} />{" "}
        <OneLine text={`by ${isolated(name)}`}>
          by <bdi>{name}</bdi>
        </OneLine>
      </span>
    </span>
  );
}
