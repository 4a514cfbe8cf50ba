import { processWide } from "@/kernel/process/process-wide";

/** The promises of the unfinished refreshes of merge requests after pushes, with the project id as key. */
const pending = processWide("pushes", () => new Map<number, Promise<unknown>>());

/**
 * Registers a refresh of merge requests after a push.
 * @param work the promise of the refresh, which must never reject.
 */
export function trackPush(projectId: number, work: Promise<void>): void {
  const all = Promise.all([pending().get(projectId), work]);
  pending().set(projectId, all);
  void all.then(() => {
    if (pending().get(projectId) === all) pending().delete(projectId);
  });
}

/**
 * Waits until the running refreshes after pushes to a project have ended. Only these refreshes have the ids
 * of the users who pushed.
 */
export const waitForPushes = async (projectId: number): Promise<void> => {
  await pending().get(projectId);
};
