import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Returns the time at which each of these users last signed in, by user id. The returned map has no entry for
 * a user if all sessions of the user have ended and were pruned.
 */
export const lastSignIns = (deps: Deps, userIds: readonly number[]): Promise<ReadonlyMap<number, Date>> =>
  store.newestSessions(deps.db, userIds);
