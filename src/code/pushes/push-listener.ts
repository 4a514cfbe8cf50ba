import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedProject } from "@/workspace/projects/rules";

/** A user who pushes to a project. */
export type Pusher = Readonly<{ project: AuthorizedProject; user: User }>;

/** A branch that a push has created or moved. */
export type MovedBranch = Readonly<{ name: string; head: string }>;

/** Callbacks of an area that depends on the commits of branches. */
export type PushListener = Readonly<{
  /** Runs after the push to these branches is recorded, while it still counts as in flight. */
  recorded: (deps: Deps, pusher: Pusher, branches: readonly string[]) => Promise<void>;
  /**
   * Runs after a push by a Git client. It never throws.
   * @param push its options are those of `git push -o`, in their order.
   * @returns lines that the Git client prints.
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

/** Notifies the listeners that a push is recorded. Call it after `recordPush` and before the push in flight ends. */
export async function announcePushRecorded(
  deps: Deps,
  pusher: Pusher,
  branches: readonly string[],
): Promise<void> {
  for (const { recorded } of deps.hooks.pushes) await recorded(deps, pusher, branches);
}

/** Notifies the listeners of a push by a Git client. @returns lines that the client prints. */
export async function announcePushReceived(
  deps: Deps,
  pusher: Pusher,
  push: Parameters<PushListener["received"]>[2],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { received } of deps.hooks.pushes) lines.push(...(await received(deps, pusher, push)));
  return lines;
}
