import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Waits until no other process of the instance is between this and the end of its transaction. For what must be done
 * once and has no row of its own yet to wait for. Call it inside a transaction.
 */
export const lockInstance = (deps: Pick<Deps, "db">): Promise<void> => store.touch(deps.db);
