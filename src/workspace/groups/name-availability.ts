import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** Returns whether a top-level group has this path. Usernames and paths of top-level groups share one namespace. */
export const isGroupName = async (deps: Pick<Deps, "db">, name: string): Promise<boolean> =>
  (await store.findByPath(deps.db, name)) !== null;
