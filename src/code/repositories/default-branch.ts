import type { Deps } from "@/kernel/deps/deps";
import { GitBusy } from "../git/queue";
import { defaultBranch } from "./reference";

/**
 * Returns the default branch of a project; null if the project has none or its repository cannot be read, for example
 * because Git is not installed. Callers can then still show the other details of the project.
 * @throws GitBusy if no slot for Git is free.
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
