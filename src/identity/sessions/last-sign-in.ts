import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Returns the time at which each of these users last signed in, by user id. A user without a stored session is
 * missing from the result, because sessions are pruned after they end.
 */
export const lastSignIns = (deps: Deps, userIds: readonly number[]): Promise<ReadonlyMap<number, Date>> =>
  store.newestSessions(deps.db, userIds);
