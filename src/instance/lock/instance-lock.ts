import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Locks the instance until the transaction ends, for actions that must happen once and have no row to lock
 * yet. Callers must be inside a transaction.
 */
export const lockInstance = (deps: Pick<Deps, "db">): Promise<void> => store.touch(deps.db);
