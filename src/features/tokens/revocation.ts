import type { Deps } from "@/platform/deps";
import * as store from "./store";

/** One transaction ends no more than this: nobody else can write for as long as it takes on SQLite. */
const FAMILIES_AT_ONCE = 200;

/**
 * Ends every token of an application, whoever it belongs to, batch by batch: a request in between finds some of them
 * ended and the others not yet.
 * @returns how many grants were alive.
 */
export async function revokeTokensOfApplication(deps: Deps, applicationId: number): Promise<number> {
  let after = 0;
  let count = 0;
  for (;;) {
    const ids = await store.liveFamilies(deps.db, { applicationId, after, most: FAMILIES_AT_ONCE });
    const last = ids.at(-1);
    if (last === undefined) return count;
    count += await deps.transaction((db) => store.revokeFamilies(db, { id: { in: ids } }, deps.clock()));
    after = last;
  }
}
