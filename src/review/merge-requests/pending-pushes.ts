import { processWide } from "@/kernel/process/process-wide";

/** Refreshes of merge requests after pushes that are still running, by project id. */
const pending = processWide("pushes", () => new Map<number, Promise<unknown>>());

/** Registers the refresh after a push. @param work must never reject. */
export function trackPush(projectId: number, work: Promise<void>): void {
  const all = Promise.all([pending().get(projectId), work]);
  pending().set(projectId, all);
  void all.then(() => {
    if (pending().get(projectId) === all) pending().delete(projectId);
  });
}

/** Waits until the running refreshes of a project have ended, since only they know the user who pushed. */
export const waitForPushes = async (projectId: number): Promise<void> => {
  await pending().get(projectId);
};
