import type { Deps } from "@/kernel/deps/deps";
import type { MovedProject } from "@/workspace/lifecycle/project-lifecycle";
import * as store from "./store";

/** Stores the new group and top-level group of a project in the rows that assign runners to the project. */
export const moveAssignedRunners = (
  { db }: Pick<Deps, "db">,
  { id, ...groups }: MovedProject,
): Promise<void> => store.setGroups(db, id, groups);
