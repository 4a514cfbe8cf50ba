import type { MovedBranch, Pusher } from "@/code/pushes/push-listener";
import type { Deps } from "@/kernel/deps/deps";
import { noteMove } from "./merging";
import { followPushOptions } from "./push-options";
import { pushesSeen } from "./pushes";

/** Brings the merge requests of a project up to date after a push, and follows its options. @returns lines for the user. */
export async function followPush(
  deps: Deps,
  pusher: Pusher,
  { branches, options }: Readonly<{ branches: readonly MovedBranch[]; options: readonly string[] }>,
): Promise<readonly string[]> {
  noteMove(deps, pusher.project, pusher.user.id);
  if (options.length === 0) return [];
  try {
    // Its versions are recorded with the name of who has pushed.
    await pushesSeen(pusher.project.id);
    return await followPushOptions(deps, pusher, branches, options);
  } catch (cause) {
    deps.log.error({ event: "git.push_options_failed", project_id: pusher.project.id }, cause);
    return ["The push options could not be followed because of an error on the server."];
  }
}
