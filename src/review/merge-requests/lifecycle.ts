import type { MergeRequest, MergeRequestState } from "./rules";

/**
 * The phases of a merge request. `waiting`: open with auto-merge enabled. `merging`: locked while a merge is in progress.
 * `merging_waiting`: locked as well; an aborted merge returns to `waiting`.
 */
export const PHASES = ["opened", "waiting", "merging", "merging_waiting", "merged", "closed"] as const;
export type Phase = (typeof PHASES)[number];

/** The events of a merge request. */
export const LIFECYCLE_EVENTS = [
  /** A client reads the merge request and its mergeability. */
  "refresh",
  /** A change that may make a waiting merge request ready. */
  "conditions_change",
  /** The heads of the branches and their comparison are stored. */
  "record_branches",
  "retarget",
  "rebase",
  "schedule_merge",
  "cancel_scheduled_merge",
  "begin_merge",
  /** The target branch contains the result of the merge. */
  "finish_merge",
  "abort_merge",
  /** A push has brought the commits into the target branch. */
  "mark_merged_by_push",
  "close",
  "reopen",
] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

/** Effects that determine whether a merge request can be merged, and that merge it. */
export type RefreshEffect =
  | "release_stale_lock"
  | "check_mergeability"
  | "refresh_checks"
  | "merge_when_ready";

/** Effects that run in the transaction that records a merge. */
export type RecordEffect = "record_audit_event" | "recheck_target";

/** Effects that run after the transaction that records a merge. */
export type CleanupEffect = "note_activity" | "remove_source_branch";

/** The phase after an event, and its effects in order. `within` runs in the transaction that changes the phase. */
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
    // The merge was scheduled for the previous target branch.
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

/** Returns the step of an event in a phase; null where the phase refuses the event. */
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

/** The events that lead from exactly one stored state to exactly one stored state. */
export type StoredEvent = Exclude<LifecycleEvent, "refresh" | "conditions_change" | "retarget">;

/** Returns the stored states before and after an event. */
export function storedChangeOf(
  event: StoredEvent,
): Readonly<{ from: MergeRequestState; to: MergeRequestState }> {
  for (const phase of PHASES) {
    const next = transition(phase, event);
    if (next !== null) return { from: STORED_STATES[phase], to: STORED_STATES[next.to] };
  }
  throw new Error(`No phase accepts the event ${event}.`);
}
