import type { Deps } from "@/kernel/deps/deps";

type OfProject = Readonly<{ id: number }>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Returns the default branch of a project; null where it has none, or none can be read. */
    defaultBranch: ((deps: Deps, project: OfProject) => Promise<string | null>) | null;
  }
}

/** The default branch of a project; null where it has none, and where no area keeps repositories. */
export const readDefaultBranch = async (deps: Deps, project: OfProject): Promise<string | null> =>
  deps.hooks.defaultBranch?.(deps, project) ?? null;
