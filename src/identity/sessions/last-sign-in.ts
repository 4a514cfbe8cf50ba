import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Returns when these users last signed in, by id. Sessions are pruned after their end, so users can be
 * missing.
 */
export const lastSignIns = (deps: Deps, userIds: readonly number[]): Promise<ReadonlyMap<number, Date>> =>
  store.newestSessions(deps.db, userIds);
