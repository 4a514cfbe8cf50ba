import { processWide } from "@/kernel/process/process-wide";

/**
 * The promises of the refreshes of merge requests that pushes have started and that have not ended, with the
 * project id as key.
 */
const pending = processWide("pushes", () => new Map<number, Promise<unknown>>());

/**
 * Registers the refresh of merge requests that a push has started.
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
 * Waits for the end of the refreshes that pushes to a project have started. Only these refreshes have the ids
 * of the users who pushed.
 */
export const waitForPushes = async (projectId: number): Promise<void> => {
  await pending().get(projectId);
};
