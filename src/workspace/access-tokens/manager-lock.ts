import type { Deps } from "@/kernel/deps/deps";
import type { ProjectOrGroup } from "../members/rules";
import { lockProjectOrGroup, roleIn } from "../members/service";
import { projectById, resourceOf } from "../projects/service";
import type { Manager } from "./rules";

/**
 * Locks the project or the group until the transaction ends, and returns the user who manages the access
 * tokens, with the user's current role and the current group of the project. The function reads the group and
 * the role again, because a simultaneous transfer may have changed both.
 * @returns null if the project or the group no longer exists.
 */
export async function lockManager(within: Deps, { resource, by }: Manager): Promise<Manager | null> {
  const current = (await lockProjectOrGroup(within, resource)) ? await readAgain(within, resource) : null;
  return current && { resource: current, by, held: await roleIn(within, current, by) };
}

async function readAgain(within: Deps, resource: ProjectOrGroup): Promise<ProjectOrGroup | null> {
  if (resource.kind === "group") return resource;
  const project = await projectById(within, resource.id);
  return project && resourceOf(project);
}
