import type { Deps } from "@/kernel/deps/deps";
import { GitBusy } from "../git/queue";
import { defaultBranch } from "./reference";

/**
 * Returns the default branch of a project for its details; null while there is none. A project is more than its
 * repository: where that cannot be read, as without Git on the machine, the rest is still shown.
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
