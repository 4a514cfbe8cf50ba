import { processWide } from "@/kernel/process/process-wide";

/** The running refreshes of merge requests that pushes have started, with the project id as key. */
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
 * Waits until the refreshes that pushes to a project have started have ended, because only these refreshes
 * have the ids of the users who pushed.
 */
export const waitForPushes = async (projectId: number): Promise<void> => {
  await pending().get(projectId);
};
