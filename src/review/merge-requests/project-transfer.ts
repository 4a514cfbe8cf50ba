import type { Deps } from "@/kernel/deps/deps";
import type { MovedProject } from "@/workspace/lifecycle/project-lifecycle";
import * as store from "./store";

/**
 * Stores the new group and top-level group of a transferred project in the merge requests of the project.
 * Lists then show the merge requests to the members of these groups.
 */
export const moveMergeRequests = ({ db }: Pick<Deps, "db">, { id, ...groups }: MovedProject): Promise<void> =>
  store.setGroups(db, id, groups);
