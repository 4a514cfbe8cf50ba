import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import { soleOwnedGroups } from "../members/service";
import { authorizeGroup } from "./rules";
import { deleteGroup } from "./service";
import * as store from "./store";

/**
 * Deletes one group of which a user is the only owner, if the contributions of the user are deleted too. If
 * the contributions of the user are kept, the server has already refused to delete a user who is the only
 * owner of a group.
 * @returns whether further groups may have to be deleted.
 */
export async function deleteSoleOwnedGroup(
  deps: Deps,
  { user, hard, by }: RunningDeletion,
): Promise<boolean> {
  if (!hard) return false;
  const [owned] = await soleOwnedGroups(deps, user.id);
  const group = owned === undefined ? null : await store.findById(deps.reads, owned.id);
  const authorized = group && authorizeGroup(group, { signedIn: true, role: "owner" });
  if (authorized === null) return false;
  await deleteGroup(deps, authorized, by);
  return true;
}
