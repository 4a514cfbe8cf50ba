import type { Deps } from "@/kernel/deps/deps";

type OfProject = Readonly<{ id: number }>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * Returns the default branch of a project; null if the project has no default branch, or its repository
     * cannot be read.
     */
    defaultBranch: ((deps: Deps, project: OfProject) => string | null) | null;
  }
}

/**
 * Returns the default branch of a project; null if the project has no default branch, or the instance has no
 * repositories.
 */
export const readDefaultBranch = (deps: Deps, project: OfProject): string | null =>
  deps.hooks.defaultBranch?.(deps, project) ?? null;
