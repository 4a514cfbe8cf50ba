import type { Deps } from "@/kernel/deps/deps";
import type { MergeRequest } from "./rules";

/**
 * A change of a merge request. Listeners are not notified of merges and approvals, because these are
 * available as audit events.
 */
export type MergeRequestChange = Readonly<{
  id: number;
  action: "open" | "update" | "close" | "reopen";
  /** The user who changed the merge request; null if unknown. */
  userId: number | null;
  /** The merge request before the change; null for a new merge request. */
  before: MergeRequest | null;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Called in the transaction that changes a merge request, after the change. */
    mergeRequestChanged: readonly ((deps: Deps, change: MergeRequestChange) => Promise<void>)[];
  }
}

/** Notifies the listeners of a change, in the transaction of the change. */
export async function announceChange(within: Deps, change: MergeRequestChange): Promise<void> {
  for (const listener of within.hooks.mergeRequestChanged) await listener(within, change);
}
