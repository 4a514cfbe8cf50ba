import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/** Whether a group has this name at the top: people and top-level groups share one space of names. */
export const isGroupName = async (deps: Pick<Deps, "db">, name: string): Promise<boolean> =>
  (await store.findByPath(deps.db, name)) !== null;
