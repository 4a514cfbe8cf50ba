import type { Deps } from "@/kernel/deps/deps";
import * as ownerStore from "./owner-store";

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
