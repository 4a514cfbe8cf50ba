import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import { isAuthenticEvent, lockEnds, moveEnds } from "./ends";
import { linkEvents } from "./entry-digest";
import * as store from "./store";

/**
 * The audit events of each open transaction. The events are added to the hash chain at the end of the
 * transaction.
 */
const waiting = processWide(
  "audit-events",
  () => new WeakMap<NonNullable<Deps["beforeCommit"]>, store.NewEvent[]>(),
);

/**
 * Adds an event to the end of the hash chain when the transaction of `deps` ends. All events of a transaction
 * are added together, while the row of the hash chain is locked, so that the events of all processes form one
 * chain.
 */
export function append(deps: Deps, event: store.NewEvent): void {
  const { beforeCommit } = deps;
  if (beforeCommit === undefined) throw new Error("An audit event was added outside a transaction.");
  const events = waiting().get(beforeCommit);
  if (events !== undefined) return void events.push(event);
  const added = [event];
  waiting().set(beforeCommit, added);
  beforeCommit(async () => {
    const { db, keys } = deps;
    const locked = await lockEnds(db, keys);
    const { linked, headDigest } = linkEvents(keys, locked.ends.headDigest, added);
    await store.insert(db, linked);
    await moveEnds(db, keys, locked, { headDigest });
  });
}

/** The number of older events that one transaction adds to the hash chain. */
const CHAINED_AT_ONCE = 500;

/**
 * Adds the events that an earlier version recorded to the hash chain, oldest first. Several processes may
 * call this function simultaneously. When the hash chain contains all events, the function runs only one
 * database query.
 * @returns the number of added events.
 */
export async function chainExistingEvents(deps: Deps): Promise<number> {
  if (await store.isComplete(deps.db)) return 0;
  let after = 0;
  let chained = 0;
  for (let ended = false; !ended; ) {
    ended = await deps.transaction(async ({ db, keys }) => {
      const locked = await lockEnds(db, keys);
      const events = await store.listUnchained(db, after, CHAINED_AT_ONCE);
      const last = events.at(-1);
      if (last === undefined) {
        await store.completeChain(db);
        return true;
      }
      const { linked, headDigest } = linkEvents(keys, locked.ends.headDigest, events);
      await store.setLinks(db, linked);
      await moveEnds(db, keys, locked, { headDigest });
      after = last.id;
      chained += events.length;
      return false;
    });
  }
  return chained;
}

/**
 * Deletes at most `most` of the oldest events of the chain. The function stops at the first event that is not
 * older than `before`. The digest of the last deleted event is kept, so that the remaining events of the hash
 * chain can be verified.
 * @returns the number of deleted events.
 */
export async function pruneEvents(deps: Deps, before: Date, most: number): Promise<number> {
  if (!(await store.isOldestBefore(deps.db, before))) return 0;
  return deps.transaction(async ({ db, keys }) => {
    const locked = await lockEnds(db, keys);
    const events = await store.listOldest(db, most);
    const recent = events.findIndex(({ at }) => at >= before);
    const removed = recent === -1 ? events : events.slice(0, recent);
    const last = removed.at(-1);
    if (last === undefined) return 0;
    await store.deleteUpTo(db, last.id);
    const isAuthentic = locked.isAuthentic && isAuthenticEvent(keys, last);
    const ends = isAuthentic ? locked.ends : { ...locked.ends, signature: "" };
    await moveEnds(db, keys, { ends, isAuthentic }, { anchorDigest: last.digest ?? "" });
    return removed.length;
  });
}
