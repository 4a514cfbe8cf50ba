import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Locks the instance until the transaction ends. The lock on the instance is for actions that must happen
 * only once, and for which no row exists yet that could be locked. Callers must be inside a transaction.
 */
export const lockInstance = (deps: Pick<Deps, "db">): Promise<void> => store.touch(deps.db);
