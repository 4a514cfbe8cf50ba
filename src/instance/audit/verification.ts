import type { Deps } from "@/kernel/deps/deps";
import { areAuthentic, isAuthenticEvent } from "./ends";
import * as store from "./store";

/** The reason why an event breaks the hash chain. */
export type Break = "changed" | "not_linked" | "not_in_chain";

/**
 * The result of a verification of the hash chain. In the result for a broken chain, `event` is the first
 * event that breaks the hash chain. `event` is null when the last events of the hash chain are missing, or
 * the ends of the chain were changed.
 */
export type Verification =
  | Readonly<{
      isIntact: true;
      events: number;
      headDigest: string;
      /** Whether the hash chain contains the digest that an earlier verification returned. */
      includesEarlier: boolean;
    }>
  | Readonly<{
      isIntact: false;
      events: number;
      event: Readonly<{ id: number; at: Date; name: string; because: Break }> | null;
    }>;

const READ_AT_ONCE = 1_000;

/**
 * Verifies the hash chain of all audit events, from the oldest event to the newest. Other processes may
 * record and prune events during the verification.
 * @param earlierDigest a digest that an earlier verification returned. If the hash chain does not contain
 * this digest, events that existed at the earlier verification are missing.
 */
export async function verifyChain(
  deps: Pick<Deps, "db" | "keys">,
  earlierDigest = "",
): Promise<Verification> {
  const { db, keys } = deps;
  const ends = await verifiedEnds(deps);
  if (ends === null) return { isIntact: false, events: 0, event: null };
  let { anchorDigest: digest, headDigest: head } = ends;
  let includesEarlier = earlierDigest === "" || earlierDigest === digest;
  let after = 0;
  let events = 0;
  for (;;) {
    const rows = await store.listAfter(db, after, READ_AT_ONCE);
    for (const row of rows) {
      const because = breakOf(keys, digest, row);
      if (because !== null) {
        // If another process has pruned events after the last read, the event in this row may now be the
        // first event of the hash chain. The first event of the hash chain is linked to the start of the
        // chain, and does not break the chain.
        const anchor = (await verifiedEnds(deps))?.anchorDigest;
        if (because !== "not_linked" || row.previousDigest !== anchor)
          return { isIntact: false, events, event: { id: row.id, at: row.at, name: row.name, because } };
      }
      digest = row.digest ?? "";
      includesEarlier ||= earlierDigest === digest;
      events += 1;
      after = row.id;
    }
    if (rows.length > 0) continue;
    const headDigest = (await verifiedEnds(deps))?.headDigest;
    if (digest === headDigest) return { isIntact: true, events, headDigest, includesEarlier };
    // The last event of the hash chain changes only when another process has recorded an event after the last
    // read. In this case, the loop reads the new events.
    if (headDigest === undefined || headDigest === head) return { isIntact: false, events, event: null };
    head = headDigest;
  }
}

/** Returns the ends of the hash chain; null when another program changed them. */
async function verifiedEnds({ db, keys }: Pick<Deps, "db" | "keys">): Promise<store.Ends | null> {
  const ends = await store.readEnds(db);
  return (await areAuthentic(db, keys, ends)) ? ends : null;
}

function breakOf(keys: Deps["keys"], before: string, event: store.StoredEvent): Break | null {
  const { digest, previousDigest } = event;
  if (digest === null || previousDigest === null) return "not_in_chain";
  if (!isAuthenticEvent(keys, event)) return "changed";
  return previousDigest === before ? null : "not_linked";
}
