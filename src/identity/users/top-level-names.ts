import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * Returns whether a resource other than a user has this name as the first segment of its path, ignoring
     * case.
     */
    topLevelNames: readonly ((deps: Deps, name: string) => Promise<boolean>)[];
    /**
     * Returns whether the path of a project begins with the username of this user. A user whose username
     * begins the path of a project cannot change the username.
     */
    pathsBelowUsername: readonly ((deps: Deps, userId: number) => Promise<boolean>)[];
  }
}

/** Returns whether a user or another resource has this name as the first segment of its path. */
export const nameIsTaken = async (deps: Deps, name: string): Promise<boolean> =>
  (await store.usernameIsTaken(deps.db, name)) || (await nameIsTakenByOthers(deps, name));

/** Returns whether a resource other than a user has this name as the first segment of its path. */
export async function nameIsTakenByOthers(deps: Deps, name: string): Promise<boolean> {
  for (const isTaken of deps.hooks.topLevelNames) if (await isTaken(deps, name)) return true;
  return false;
}

/**
 * Returns whether the path of a project begins with the username of this user. A user whose username begins
 * the path of a project cannot change the username.
 */
export async function hasDescendantPaths(deps: Deps, userId: number): Promise<boolean> {
  for (const hasPaths of deps.hooks.pathsBelowUsername) if (await hasPaths(deps, userId)) return true;
  return false;
}
