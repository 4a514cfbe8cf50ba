import type { Deps } from "@/kernel/deps/deps";
import type { MovedProject } from "../lifecycle/project-lifecycle";
import * as store from "./store";

/**
 * Stores the id of the new group of a project in the rows of its deploy tokens, because the validity of the
 * tokens depends on the roles of their creators in this group.
 */
export const moveDeployTokens = ({ db }: Pick<Deps, "db">, { id, groupId }: MovedProject): Promise<void> =>
  store.setGroup(db, id, groupId);
