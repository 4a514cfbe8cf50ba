import { describe, expect, it } from "vitest";
import {
  LIFECYCLE_EVENTS,
  type LifecycleEvent,
  PHASES,
  type Phase,
  phaseOf,
  type StoredEvent,
  storedChangeOf,
  transition,
} from "./lifecycle.ts";

/**
 * The expected phase after each lifecycle event, with the event and the previous phase as keys. If an event
 * has no entry for a phase, the event is not allowed in this phase.
 */
const EXPECTED: Readonly<Record<LifecycleEvent, Readonly<Partial<Record<Phase, Phase>>>>> = {
  refresh: {
    ...{ opened: "opened", waiting: "waiting", merging: "merging", merging_waiting: "merging_waiting" },
    ...{ merged: "merged", closed: "closed" },
  },
  conditions_change: {
    ...{ opened: "opened", waiting: "waiting", merging: "merging", merging_waiting: "merging_waiting" },
    ...{ merged: "merged", closed: "closed" },
  },
  record_branches: { opened: "opened", waiting: "waiting" },
  retarget: { opened: "opened", waiting: "opened", closed: "closed" },
  rebase: { opened: "opened", waiting: "waiting" },
  schedule_merge: { opened: "waiting", waiting: "waiting" },
  cancel_scheduled_merge: { waiting: "opened" },
  begin_merge: { opened: "merging", waiting: "merging_waiting" },
  finish_merge: { merging: "merged", merging_waiting: "merged" },
  abort_merge: { merging: "opened", merging_waiting: "waiting" },
  mark_merged_by_push: { opened: "merged", waiting: "merged" },
  close: { opened: "closed", waiting: "closed" },
  reopen: { closed: "opened" },
};

const PAIRS = PHASES.flatMap((phase) => LIFECYCLE_EVENTS.map((event) => [phase, event] as const));

const STORED_EVENTS = LIFECYCLE_EVENTS.filter(
  (event): event is StoredEvent => !["refresh", "conditions_change", "retarget"].includes(event),
);

const row = (state: "opened" | "closed" | "merged" | "locked", isWaiting: boolean) => ({
  state,
  autoMerge: isWaiting ? { at: new Date(0), sha: null } : null,
});

const STORED: Readonly<Record<Phase, ReturnType<typeof row>>> = {
  opened: row("opened", false),
  waiting: row("opened", true),
  merging: row("locked", false),
  merging_waiting: row("locked", true),
  merged: row("merged", false),
  closed: row("closed", false),
};

describe("the merge request lifecycle", () => {
  it.each(PAIRS)("from the phase %s, the event %s leads to the expected next phase", (phase, event) => {
    expect(transition(phase, event)?.to ?? null).toBe(EXPECTED[event][phase] ?? null);
  });

  it("the mergeability is checked only for open merge requests, and a stale lock is released only if a merge is in progress", () => {
    const effects = PHASES.map((phase) => [phase, transition(phase, "refresh")?.refresh]);
    expect(Object.fromEntries(effects)).toEqual({
      opened: ["check_mergeability", "refresh_checks"],
      waiting: ["check_mergeability", "refresh_checks"],
      merging: ["release_stale_lock", "refresh_checks"],
      merging_waiting: ["release_stale_lock", "refresh_checks"],
      merged: [],
      closed: [],
    });
  });

  it("after a change of a merge condition, a merge request is merged only if auto-merge is enabled", () => {
    const merging = PHASES.filter((phase) =>
      transition(phase, "conditions_change")?.refresh.includes("merge_when_ready"),
    );
    expect(merging).toEqual(["waiting"]);
  });

  it("every merge is recorded as an audit event, and the source branch is deleted only after merges by the server", () => {
    const entering = PAIRS.flatMap(([phase, event]) => {
      const next = transition(phase, event);
      return next?.to === "merged" && phase !== "merged" ? [{ event, ...next }] : [];
    });
    expect(entering).toHaveLength(4);
    for (const { event, within, after } of entering) {
      expect(within).toContain("record_audit_event");
      expect(after.includes("remove_source_branch")).toBe(event === "finish_merge");
    }
  });

  it.each(STORED_EVENTS)(
    "the event %s has one required state and one resulting state in the database, which do not depend on the phase",
    (event) => {
      const changes = PHASES.flatMap((phase) => {
        const next = transition(phase, event);
        return next === null ? [] : [{ from: STORED[phase].state, to: STORED[next.to].state }];
      });
      expect(new Set(changes.map((change) => JSON.stringify(change)))).toHaveLength(1);
      expect(storedChangeOf(event)).toEqual(changes[0]);
    },
  );

  it.each(PHASES)("the phase %s is derived from the stored state and auto-merge", (phase) => {
    expect(phaseOf(STORED[phase])).toBe(phase);
  });
});
