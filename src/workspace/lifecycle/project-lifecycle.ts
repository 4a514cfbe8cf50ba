import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";

/** The fields of a new project that listeners need. */
type CreatedProject = Readonly<{ id: number; name: string; description: string }>;

/** The creator of a project, and whether the repository starts with README.md. */
type Creation = Readonly<{ creator: User; readme: boolean }>;

/** The hooks of an area that stores data for each project. */
export type ProjectLifecycle = Readonly<{
  /** Runs in the transaction that creates the project. An error undoes the creation. */
  creating?: (deps: Deps, project: CreatedProject) => Promise<void>;
  /**
   * Runs after that transaction and before the response. It logs its failures and does not throw, because the project
   * already exists.
   */
  created?: (deps: Deps, project: CreatedProject, creation: Creation) => Promise<void>;
  /** Runs after the transaction that deletes the projects and before the response. It logs its failures. */
  removed?: (deps: Deps, projectIds: readonly number[]) => Promise<void>;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    projectLifecycle: readonly ProjectLifecycle[];
  }
}

/** Must run in the transaction that creates the project. */
export async function announceProjectCreating(deps: Deps, project: CreatedProject): Promise<void> {
  for (const { creating } of deps.hooks.projectLifecycle) await creating?.(deps, project);
}

export async function announceProjectCreated(
  deps: Deps,
  project: CreatedProject,
  creation: Creation,
): Promise<void> {
  for (const { created } of deps.hooks.projectLifecycle) await created?.(deps, project, creation);
}

export async function announceProjectsRemoved(deps: Deps, projectIds: readonly number[]): Promise<void> {
  for (const { removed } of deps.hooks.projectLifecycle) await removed?.(deps, projectIds);
}
