import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";

/** The columns of a new project that the lifecycle hooks read. */
type CreatedProject = Readonly<{ id: number; name: string; description: string }>;

/** The user who creates a project, and whether the repository is initialized with README.md. */
type Creation = Readonly<{ creator: User; readme: boolean }>;

/**
 * A project after a transfer, with its new group and top-level group; both are null in the namespace of a
 * user.
 */
export type MovedProject = Readonly<{ id: number; groupId: number | null; topGroupId: number | null }>;

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
  /**
   * Returns the reason why a project cannot be transferred to another namespace, as a sentence, or null.
   * Called in the transaction that transfers the project.
   */
  transferProblem?: (deps: Deps, projectId: number) => Promise<string | null>;
  /**
   * Called in the transaction that transfers the project, after the transaction has locked the row of the
   * project.
   */
  moved?: (deps: Deps, project: MovedProject) => Promise<void>;
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

/** Returns the first reason why a project cannot be transferred to another namespace, or null. */
export async function transferProblemOf(deps: Deps, projectId: number): Promise<string | null> {
  for (const { transferProblem } of deps.hooks.projectLifecycle) {
    const problem = (await transferProblem?.(deps, projectId)) ?? null;
    if (problem !== null) return problem;
  }
  return null;
}

export async function announceProjectMoved(deps: Deps, project: MovedProject): Promise<void> {
  for (const { moved } of deps.hooks.projectLifecycle) await moved?.(deps, project);
}
