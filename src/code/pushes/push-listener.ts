import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedProject } from "@/workspace/projects/rules";

/** A user who pushes, and the project to which the user pushes. */
export type Pusher = Readonly<{ project: AuthorizedProject; user: User }>;

/** The project and the user of a recorded push; `user` is null if the user is unknown. */
export type RecordedPusher = Readonly<{
  project: Readonly<{ id: number; fullPath: string }>;
  user: Pick<User, "id"> | null;
}>;

/** A branch that a push has created or updated. */
export type MovedBranch = Readonly<{ name: string; head: string }>;

/** Callbacks with which another module, such as `src/review`, reacts to pushes. */
export type PushListener = Readonly<{
  /** Called after the push to these branches is recorded, while the push still counts as in flight. */
  recorded: (deps: Deps, pusher: RecordedPusher, branches: readonly string[]) => Promise<void>;
  /**
   * Called after a push by a Git client. The callback for a push by a Git client never throws.
   * @param push the changed branches, and the push options (`git push -o`) in the order of the command line.
   * @returns the messages that the Git client prints.
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

/**
 * Notifies the push listeners of a push by a Git client.
 * @returns the messages that the Git client prints.
 */
export async function announcePushReceived(
  deps: Deps,
  pusher: Pusher,
  push: Parameters<PushListener["received"]>[2],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { received } of deps.hooks.pushes) lines.push(...(await received(deps, pusher, push)));
  return lines;
}
