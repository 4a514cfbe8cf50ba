import type { Deps } from "@/kernel/deps/deps";
import { defaultBranch } from "./reference";

/**
 * Returns the default branch of a project; null if the project has no default branch, or the repository of
 * the project cannot be read. The function does not throw for an unreadable repository, so that callers can
 * still show the other details of the project.
 */
export function defaultBranchOrNull(deps: Deps, project: Readonly<{ id: number }>): string | null {
  try {
    return defaultBranch(deps, project);
  } catch (cause) {
    deps.log.error({ event: "repository.not_read", project_id: project.id }, cause);
    return null;
  }
}
