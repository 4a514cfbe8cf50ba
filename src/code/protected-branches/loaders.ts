import { systemDeps } from "@/kernel/deps/deps";
import { requireProject } from "@/workspace/projects/loaders";
import { listProtectedBranches } from "./service";

/** Returns the URL path of the page with the protected branches. @param home the URL path of the project. */
export const protectedBranchesPath = (home: string): string => `${home}/settings/protected_branches`;

/** Loads the protected branches of a project for the settings page, which only maintainers can open. */
export async function loadProtectedBranches(id: string) {
  const { project } = await requireProject(id, protectedBranchesPath, "maintainer");
  const rules = await listProtectedBranches(systemDeps(), project);
  return { project: project.id, rules };
}
