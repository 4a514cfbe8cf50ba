import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

const APPROVALS_AT_ONCE = 500;

/**
 * Assigns a batch of the approvals of a deleted user to the ghost user. If the contributions of the user are
 * deleted too, the function deletes these approvals instead. Approvals of the ghost user do not count.
 * @returns whether approvals of the user may remain.
 */
export async function releaseApprovals(
  deps: Deps,
  { user, ghostId, hard }: RunningDeletion,
): Promise<boolean> {
  const handled = await deps.transaction((within) =>
    store.releaseSomeApprovals(within.db, user.id, hard ? null : ghostId, APPROVALS_AT_ONCE),
  );
  return handled === APPROVALS_AT_ONCE;
}
