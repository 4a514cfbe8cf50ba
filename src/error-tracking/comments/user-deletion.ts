import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

const COMMENTS_AT_ONCE = 500;

/**
 * Assigns a batch of the comments of a deleted user to the ghost user, or deletes these comments if the
 * contributions are deleted too.
 * @returns whether the user may have more comments.
 */
export async function releaseComments(
  deps: Deps,
  { user, ghostId, hard }: RunningDeletion,
): Promise<boolean> {
  const to = hard ? null : ghostId;
  return (await store.releaseSome(deps.db, user.id, to, COMMENTS_AT_ONCE)) === COMMENTS_AT_ONCE;
}
