import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Whether something that is not a user has this name at the top of its path. In any case of the letters. */
    topLevelNames: readonly ((deps: Deps, name: string) => Promise<boolean>)[];
    /** Whether paths begin with the username of this user, which then cannot change. */
    pathsBelowUsername: readonly ((deps: Deps, userId: number) => Promise<boolean>)[];
  }
}

/** Whether a user, or anything else at the top of a path, has this name. */
export const nameIsTaken = async (deps: Deps, name: string): Promise<boolean> =>
  (await store.usernameIsTaken(deps.db, name)) || (await nameIsTakenByOthers(deps, name));

/** Whether something that is not a user has this name at the top of its path. */
export async function nameIsTakenByOthers(deps: Deps, name: string): Promise<boolean> {
  for (const isTaken of deps.hooks.topLevelNames) if (await isTaken(deps, name)) return true;
  return false;
}

/** Whether paths begin with the username of this user, which then cannot change. */
export async function hasDescendantPaths(deps: Deps, userId: number): Promise<boolean> {
  for (const hasPaths of deps.hooks.pathsBelowUsername) if (await hasPaths(deps, userId)) return true;
  return false;
}
