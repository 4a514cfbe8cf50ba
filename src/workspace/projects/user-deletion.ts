import type { RunningDeletion } from "@/identity/users/deletion-job";
import type { Deps } from "@/kernel/deps/deps";
import { authorizeProject } from "./rules";
import { deleteProject } from "./service";
import * as store from "./store";

const PROJECTS_AT_ONCE = 200;

/**
 * Deletes one project in the namespace of a user.
 * @returns whether further projects may have to be deleted.
 */
export async function deletePersonalProject(deps: Deps, { user, by }: RunningDeletion): Promise<boolean> {
  const project = await store.findPersonal(deps.db, user.id);
  const owned = project && authorizeProject(project, { signedIn: true, role: "owner" });
  if (owned === null) return false;
  await deleteProject(deps, owned, by);
  return true;
}

/**
 * Makes the ghost user the creator of the projects that a user has created in groups.
 * @returns whether the function must be called again for further projects.
 */
export async function releaseCreatedProjects(
  deps: Deps,
  { user, ghostId }: RunningDeletion,
): Promise<boolean> {
  return (await store.replaceCreator(deps.db, user.id, ghostId, PROJECTS_AT_ONCE)) === PROJECTS_AT_ONCE;
}
