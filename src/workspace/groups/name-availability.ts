import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** Returns whether a top-level group has this path. A username and the path of a top-level group must not be equal. */
export const isGroupName = async (deps: Pick<Deps, "reads">, name: string): Promise<boolean> =>
  (await store.findByPath(deps.reads, name)) !== null;
