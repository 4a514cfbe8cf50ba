import type { Deps } from "@/kernel/deps/deps";
import type { MovedProject } from "../lifecycle/project-lifecycle";
import * as store from "./store";

/** Stores the new group of a project in its deploy tokens, whose validity depends on the roles of their creators there. */
export const moveDeployTokens = ({ db }: Pick<Deps, "db">, { id, groupId }: MovedProject): Promise<void> =>
  store.setGroup(db, id, groupId);
