import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** When these users last signed in, by id. Sessions are pruned after their end: a user without one may have signed in. */
export const lastSignIns = (deps: Deps, userIds: readonly number[]): Promise<ReadonlyMap<number, Date>> =>
  store.newestSessions(deps.db, userIds);
