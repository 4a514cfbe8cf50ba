import type { MergeRequest, MergeRequestState } from "./rules";

/**
 * The phases of a merge request. `waiting` means that the merge request is open and auto-merge is enabled.
 * `merging` means that the server has locked the merge request and is merging it. `merging_waiting` is like
 * `merging`, but the merge request returns to `waiting` if the merge is aborted.
 */
export const PHASES = ["opened", "waiting", "merging", "merging_waiting", "merged", "closed"] as const;
export type Phase = (typeof PHASES)[number];

/** The events that can change the phase of a merge request. */
export const LIFECYCLE_EVENTS = [
  /** A client requests the merge request and its mergeability. */
  "refresh",
  /**
   * A merge condition, such as the number of approvals, has changed, so a merge request with auto-merge may
   * have become ready to merge.
   */
  "conditions_change",
  /** The server stores the heads of both branches and the result of the comparison of these branches. */
  "record_branches",
  "retarget",
  "rebase",
  "schedule_merge",
  "cancel_scheduled_merge",
  "begin_merge",
  /** The merge has changed the target branch, which now contains the merged commits. */
  "finish_merge",
  "abort_merge",
  /** A push has added the commits of the merge request to the target branch. */
  "mark_merged_by_push",
  "close",
  "reopen",
] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

/**
 * Follow-up actions of an event that refresh the mergeability of a merge request and, if auto-merge is
 * enabled, merge the merge request.
 */
export type RefreshEffect =
  | "release_stale_lock"
  | "check_mergeability"
  | "refresh_checks"
  | "merge_when_ready";

/** Follow-up actions that run in the transaction that records a merge. */
export type RecordEffect = "record_audit_event" | "recheck_target";

/** Follow-up actions that run after the transaction that records a merge. */
export type CleanupEffect = "note_activity" | "remove_source_branch";

/**
 * A transition: the phase of the merge request after an event, and the follow-up actions (effects) of the
 * event in the order in which they run. The effects in `within` run in the transaction that changes the
 * phase.
 */
export type Step = Readonly<{
  to: Phase;
  refresh: readonly RefreshEffect[];
  within: readonly RecordEffect[];
  after: readonly CleanupEffect[];
}>;

const step = (to: Phase, effects: Partial<Omit<Step, "to">> = {}): Step => ({
  to,
  refresh: [],
  within: [],
  after: [],
  ...effects,
});

const CHECKED = { refresh: ["check_mergeability", "refresh_checks"] } as const;
const CHECKED_AND_MERGED = { refresh: [...CHECKED.refresh, "merge_when_ready"] } as const;
const RELEASED = { refresh: ["release_stale_lock", "refresh_checks"] } as const;

const MERGED = step("merged", {
  within: ["record_audit_event", "recheck_target"],
  after: ["note_activity", "remove_source_branch"],
});
const MERGED_BY_PUSH = step("merged", { within: ["record_audit_event"] });

type Transitions = Readonly<Record<Phase, Readonly<Partial<Record<LifecycleEvent, Step>>>>>;

const TRANSITIONS: Transitions = {
  opened: {
    refresh: step("opened", CHECKED),
    conditions_change: step("opened", CHECKED),
    record_branches: step("opened"),
    retarget: step("opened"),
    rebase: step("opened"),
    schedule_merge: step("waiting"),
    begin_merge: step("merging"),
    mark_merged_by_push: MERGED_BY_PUSH,
    close: step("closed"),
  },
  waiting: {
    refresh: step("waiting", CHECKED),
    conditions_change: step("waiting", CHECKED_AND_MERGED),
    record_branches: step("waiting"),
    // A change of the target branch cancels auto-merge, because auto-merge was enabled for the previous
    // target branch.
    retarget: step("opened"),
    rebase: step("waiting"),
    schedule_merge: step("waiting"),
    cancel_scheduled_merge: step("opened"),
    begin_merge: step("merging_waiting"),
    mark_merged_by_push: MERGED_BY_PUSH,
    close: step("closed"),
  },
  merging: {
    refresh: step("merging", RELEASED),
    conditions_change: step("merging", RELEASED),
    finish_merge: MERGED,
    abort_merge: step("opened"),
  },
  merging_waiting: {
    refresh: step("merging_waiting", RELEASED),
    conditions_change: step("merging_waiting", RELEASED),
    finish_merge: MERGED,
    abort_merge: step("waiting"),
  },
  merged: {
    refresh: step("merged"),
    conditions_change: step("merged"),
  },
  closed: {
    refresh: step("closed"),
    conditions_change: step("closed"),
    retarget: step("closed"),
    reopen: step("opened"),
  },
};

/** Returns the transition for an event in a phase; null if the event is not allowed in this phase. */
export const transition = (phase: Phase, event: LifecycleEvent): Step | null =>
  TRANSITIONS[phase][event] ?? null;

/** Returns the phase of a merge request. */
export function phaseOf({ state, autoMerge }: Pick<MergeRequest, "state" | "autoMerge">): Phase {
  if (state === "opened") return autoMerge === null ? "opened" : "waiting";
  if (state === "locked") return autoMerge === null ? "merging" : "merging_waiting";
  return state;
}

const STORED_STATES: Readonly<Record<Phase, MergeRequestState>> = {
  ...{ opened: "opened", waiting: "opened", merging: "locked", merging_waiting: "locked" },
  ...{ merged: "merged", closed: "closed" },
};

/** The events that change the stored state in the same way in every phase. */
export type StoredEvent = Exclude<LifecycleEvent, "refresh" | "conditions_change" | "retarget">;

/** Returns the stored state that an event requires, and the stored state that the event sets. */
export function storedChangeOf(
  event: StoredEvent,
): Readonly<{ from: MergeRequestState; to: MergeRequestState }> {
  for (const phase of PHASES) {
    const next = transition(phase, event);
    if (next !== null) return { from: STORED_STATES[phase], to: STORED_STATES[next.to] };
  }
  throw new Error(`No phase accepts the event ${event}.`);
}
