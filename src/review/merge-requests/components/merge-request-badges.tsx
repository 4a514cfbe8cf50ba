import { Badge } from "@/ui/badge";
import type { DetailedMergeStatus, MergeRequestState } from "../rules";

export const STATE_LABELS: Readonly<Record<MergeRequestState, string>> = {
  opened: "Open",
  closed: "Closed",
  merged: "Merged",
  locked: "Merging",
};

const STATE_CLASSES: Readonly<Record<MergeRequestState, string>> = {
  opened: "border-line text-ink",
  closed: "border-line text-muted",
  merged: "border-transparent bg-soft text-accent",
  locked: "border-line text-muted",
};

export const StateBadge = ({ state }: { readonly state: MergeRequestState }) => (
  <span
    className={`inline-block rounded-full border px-2 text-small whitespace-nowrap ${STATE_CLASSES[state]}`}
  >
    {STATE_LABELS[state]}
  </span>
);

/** Labels of the merge statuses that block a merge. Merge requests with other statuses have no badge. */
const STATUS_LABELS: Readonly<Partial<Record<DetailedMergeStatus, string>>> = {
  conflict: "Conflict",
  draft_status: "Draft",
  security_policy_violations: "License not allowed",
  not_approved: "Needs approval",
  need_rebase: "Needs a rebase",
  commits_status: "Nothing to merge",
};

export function StatusBadge({ status }: { readonly status: DetailedMergeStatus }) {
  const word = STATUS_LABELS[status];
  return word === undefined ? null : <Badge>{word}</Badge>;
}
