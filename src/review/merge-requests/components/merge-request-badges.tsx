import { Badge } from "@/ui/badge";
import type { DetailedMergeStatus, MergeRequestState } from "../rules";

export const STATE_WORDS: Readonly<Record<MergeRequestState, string>> = {
  opened: "Open",
  closed: "Closed",
  merged: "Merged",
  locked: "Merging",
};

const LOOKS: Readonly<Record<MergeRequestState, string>> = {
  opened: "border-line text-ink",
  closed: "border-line text-muted",
  merged: "border-transparent bg-soft text-accent",
  locked: "border-line text-muted",
};

export const StateBadge = ({ state }: { readonly state: MergeRequestState }) => (
  <span className={`inline-block rounded-full border px-2 text-small whitespace-nowrap ${LOOKS[state]}`}>
    {STATE_WORDS[state]}
  </span>
);

/** What stands in the way, in a word; nothing where nothing does. */
const STATUS_WORDS: Readonly<Partial<Record<DetailedMergeStatus, string>>> = {
  conflict: "Conflict",
  draft_status: "Draft",
  security_policy_violations: "License not allowed",
  not_approved: "Needs approval",
  need_rebase: "Needs a rebase",
  commits_status: "Nothing to merge",
};

export function StatusBadge({ status }: { readonly status: DetailedMergeStatus }) {
  const word = STATUS_WORDS[status];
  return word === undefined ? null : <Badge>{word}</Badge>;
}
