import type { Deps } from "@/kernel/deps/deps";
import type { Caller } from "@/kernel/http/caller";
import { writeBehindBuffer } from "@/kernel/jobs/write-behind";
import { isNews } from "./rules";
import * as store from "./store";

/**
 * The maximum number of last-used times that wait to be written, for each kind of row. Further uses are
 * discarded until the next batch is written.
 */
const PENDING_MAX = 10_000;

type PendingUses = Readonly<Record<store.Kind, Map<number, Caller>>>;

const noUses = (): PendingUses => ({
  family: new Map(),
  application: new Map(),
  personalToken: new Map(),
  clientSecret: new Map(),
  session: new Map(),
});

const buffer = writeBehindBuffer("last_use", noUses, async (deps, pending) => {
  for (const kind of store.KINDS) {
    const uses = [...pending[kind]].map(([id, caller]) => ({ id, ...caller }));
    await store.recordUses(deps, kind, uses, deps.clock());
  }
});

/**
 * Enqueues the last-used time of a grant and of its application. The use is written later, in a batch, and
 * the current request does not wait for the batch.
 * @param grant the grant with the last use that the database stores.
 * @param caller returns the IP address and the user agent; the function is called only when the use has to be
 * recorded.
 */
export function enqueueGrantUse(
  deps: Deps,
  grant: Readonly<{ familyId: number; applicationId: number | null; lastUsedAt: Date | null }>,
  caller: () => Caller,
): void {
  if (!isNews(grant.lastUsedAt, deps.clock()) || isPending("family", grant.familyId)) return;
  enqueue("family", grant.familyId, caller());
  if (grant.applicationId !== null) enqueue("application", grant.applicationId, NO_CALLER);
}

/**
 * Enqueues the last-used time of a row for which the database stores no IP address and no user agent.
 */
export function enqueueUse(
  deps: Deps,
  kind: Exclude<store.Kind, "family">,
  row: Readonly<{ id: number; lastUsedAt: Date | null }>,
): void {
  if (isNews(row.lastUsedAt, deps.clock()) && !isPending(kind, row.id)) enqueue(kind, row.id, NO_CALLER);
}

const NO_CALLER: Caller = { ipAddress: "", userAgent: "" };

const isPending = (kind: store.Kind, id: number): boolean => buffer.waiting()[kind].has(id);

function enqueue(kind: store.Kind, id: number, caller: Caller): void {
  const uses = buffer.waiting()[kind];
  if (uses.size >= PENDING_MAX) return;
  uses.set(id, caller);
  buffer.schedule();
}

/**
 * Writes all pending last-used times to the database. A use that cannot be written is lost, but the next use
 * of the same row is recorded.
 */
export const writeLastUses = buffer.write;
