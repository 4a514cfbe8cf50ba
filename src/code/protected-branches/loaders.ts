import { systemDeps } from "@/kernel/deps/deps";
import { requireProject } from "@/workspace/projects/loaders";
import { listProtectedBranches } from "./service";

/** Returns the path of the protected branches page. @param home the path of the project. */
export const protectedBranchesPath = (home: string): string => `${home}/settings/protected_branches`;

/** Loads the protected branches of a project for its maintainers. */
export async function loadProtectedBranches(id: string) {
  const { project } = await requireProject(id, protectedBranchesPath, "maintainer");
  const rules = await listProtectedBranches(systemDeps(), project);
  return { project: project.id, rules };
}
