import type { Deps } from "@/kernel/deps/deps";
import { GitBusy } from "../git/queue";
import { defaultBranch } from "./reference";

/**
 * Returns the default branch of a project; null where it has none or the repository cannot be read, for example because
 * Git is not installed. The other details of the project are then still shown.
 * @throws GitBusy
 */
export async function defaultBranchOrNull(
  deps: Deps,
  project: Readonly<{ id: number }>,
): Promise<string | null> {
  try {
    return await defaultBranch(deps, project);
  } catch (cause) {
    if (cause instanceof GitBusy) throw cause;
    deps.log.error({ event: "repository.not_read", project_id: project.id }, cause);
    return null;
  }
}
