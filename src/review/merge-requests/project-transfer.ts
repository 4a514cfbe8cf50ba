import type { Deps } from "@/kernel/deps/deps";
import type { MovedProject } from "@/workspace/lifecycle/project-lifecycle";
import * as store from "./store";

/** Stores the new groups of a project in its merge requests, so that lists show them to the right members. */
export const moveMergeRequests = ({ db }: Pick<Deps, "db">, { id, ...groups }: MovedProject): Promise<void> =>
  store.setGroups(db, id, groups);
