import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedProject } from "@/workspace/projects/rules";

/** A user who pushes to a project. */
export type Pusher = Readonly<{ project: AuthorizedProject; user: User }>;

/** A branch that a push has created or moved. */
export type MovedBranch = Readonly<{ name: string; head: string }>;

/** What an area does that judges the commits of branches. */
export type PushListener = Readonly<{
  /** Runs once it is recorded who has pushed these branches, while the user still counts as pushing. */
  recorded: (deps: Deps, pusher: Pusher, branches: readonly string[]) => Promise<void>;
  /**
   * Runs after a Git client has pushed, and raises nothing.
   * @param options of `git push -o`, in their order.
   * @returns lines for the user.
   */
  received: (
    deps: Deps,
    pusher: Pusher,
    push: Readonly<{ branches: readonly MovedBranch[]; options: readonly string[] }>,
  ) => Promise<readonly string[]>;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    pushes: readonly PushListener[];
  }
}

/** Call it after `recordPush` and before `endPush`. */
export async function announcePushRecorded(
  deps: Deps,
  pusher: Pusher,
  branches: readonly string[],
): Promise<void> {
  for (const { recorded } of deps.hooks.pushes) await recorded(deps, pusher, branches);
}

/** @returns lines for the user. */
export async function announcePushReceived(
  deps: Deps,
  pusher: Pusher,
  push: Parameters<PushListener["received"]>[2],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { received } of deps.hooks.pushes) lines.push(...(await received(deps, pusher, push)));
  return lines;
}
