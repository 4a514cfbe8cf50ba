import type { Deps } from "@/kernel/deps/deps";
import * as ownerStore from "./owner-store";
import { removeWithAccess } from "./removal";

const SHOWN = 5;

/** The applications of a group and of its descendants; the applications are deleted with the group. */
export type GroupApplications = Readonly<{
  count: number;
  /** The names of at most `SHOWN` of the applications that are deleted with the group, oldest first. */
  names: readonly string[];
}>;

/**
 * Returns the applications that are deleted together with a group: the applications of the group and of all
 * its descendants. The caller must have checked that the user has the role Owner in the group.
 */
export const applicationsInGroup = (deps: Pick<Deps, "db">, groupId: number): Promise<GroupApplications> =>
  ownerStore.inGroup(deps.db, groupId, SHOWN);

/**
 * Deletes the applications of a group and of its descendants with their authorization codes, tokens and consents, in the
 * transaction that `deps` contains. The deletion of the group would delete the same rows, but in an order that causes
 * deadlocks with token requests.
 */
export async function removeApplicationsInGroup(deps: Deps, groupId: number): Promise<void> {
  for (const id of await ownerStore.idsInGroup(deps.db, groupId)) await removeWithAccess(deps, id);
}
