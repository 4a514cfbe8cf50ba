import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

const PUSHES_AT_ONCE = 500;

/**
 * Assigns a batch of the recorded pushes of a user to the ghost user.
 * @returns whether recorded pushes of the user may remain.
 */
export async function releasePushes(deps: Deps, { user, ghostId }: RunningDeletion): Promise<boolean> {
  return (await store.replacePusher(deps.db, user.id, ghostId, PUSHES_AT_ONCE)) === PUSHES_AT_ONCE;
}
