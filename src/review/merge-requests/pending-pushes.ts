import { processWide } from "@/kernel/process/process-wide";

/** Pushes whose merge requests are being refreshed, by the ids of their projects. */
const pending = processWide("pushes", () => new Map<number, Promise<unknown>>());

/** @param work refreshes the merge requests of the project after a push, and raises nothing. */
export function trackPush(projectId: number, work: Promise<void>): void {
  const all = Promise.all([pending().get(projectId), work]);
  pending().set(projectId, all);
  void all.then(() => {
    if (pending().get(projectId) === all) pending().delete(projectId);
  });
}

/** Waits for the pushes that are being handled: a reader does not know which user has pushed. */
export const waitForPushes = async (projectId: number): Promise<void> => {
  await pending().get(projectId);
};
