import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

const ROWS_AT_ONCE = 200;

/**
 * Replaces a deleted user with the ghost user in a batch of the merge requests that the deleted user has
 * created, merged or closed. If `hard` is true, the function deletes the merge requests that the deleted user
 * has created.
 * @returns whether merge requests of the user may remain.
 */
export async function releaseMergeRequests(
  deps: Deps,
  { user, ghostId, hard }: RunningDeletion,
): Promise<boolean> {
  if (hard && (await store.deleteSomeOf(deps.db, user.id, ROWS_AT_ONCE)) === ROWS_AT_ONCE) return true;
  return (await store.replaceUser(deps.db, user.id, ghostId, ROWS_AT_ONCE)) === ROWS_AT_ONCE;
}
