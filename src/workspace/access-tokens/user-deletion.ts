import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import * as store from "./store";

/**
 * Makes the ghost user the creator of the access tokens that a user has created for projects and groups. The
 * tokens do not work until a member rotates them, because the ghost user has no role.
 * @returns false, because one call changes all tokens and no further call is necessary.
 */
export async function releaseAccessTokens(deps: Deps, { user, ghostId }: RunningDeletion): Promise<boolean> {
  await store.replaceCreator(deps.db, user.id, ghostId);
  return false;
}
