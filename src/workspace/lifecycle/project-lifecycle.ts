import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";

/** The fields of a new project that lifecycle hooks need. */
type CreatedProject = Readonly<{ id: number; name: string; description: string }>;

/** The user who creates a project, and whether the repository is initialized with README.md. */
type Creation = Readonly<{ creator: User; readme: boolean }>;

/** The lifecycle hooks of a feature that stores data for each project. */
export type ProjectLifecycle = Readonly<{
  /** Called in the transaction that creates the project. If the hook throws an error, no project is created. */
  creating?: (deps: Deps, project: CreatedProject) => Promise<void>;
  /**
   * Called after the transaction that creates the project, and before the response. The hook must log its failures
   * instead of throwing them, because the project already exists.
   */
  created?: (deps: Deps, project: CreatedProject, creation: Creation) => Promise<void>;
  /**
   * Called after the transaction that deletes the projects, and before the response. The hook must log its failures
   * instead of throwing them.
   */
  removed?: (deps: Deps, projectIds: readonly number[]) => Promise<void>;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    projectLifecycle: readonly ProjectLifecycle[];
  }
}

/** Runs the `creating` hooks. Call this function in the transaction that creates the project. */
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
