import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";

/** What a listener needs of a project that is created. */
type CreatedProject = Readonly<{ id: number; name: string; description: string }>;

/** What the creator of a project wants beside the project. */
type Creation = Readonly<{ creator: User; readme: boolean }>;

/** What an area that keeps something for each project does when projects are created and removed. */
export type ProjectLifecycle = Readonly<{
  /** Runs in the transaction that creates the project. An error undoes the creation. */
  creating?: (deps: Deps, project: CreatedProject) => Promise<void>;
  /** Runs after that transaction and before the answer. It logs its failures, as the project exists by then. */
  created?: (deps: Deps, project: CreatedProject, creation: Creation) => Promise<void>;
  /** Runs after the transaction that removes the projects and before the answer. It logs its failures. */
  removed?: (deps: Deps, projectIds: readonly number[]) => Promise<void>;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    projectLifecycle: readonly ProjectLifecycle[];
  }
}

/** Call it inside the transaction that creates the project. */
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
