import { processWide } from "@/kernel/process/process-wide";

/** Pushes that are being looked at, by the ids of their projects. */
const underWay = processWide("pushes", () => new Map<number, Promise<unknown>>());

/** @param work looks at what a push has changed, and raises nothing. */
export function lookingAt(projectId: number, work: Promise<void>): void {
  const all = Promise.all([underWay().get(projectId), work]);
  underWay().set(projectId, all);
  void all.then(() => {
    if (underWay().get(projectId) === all) underWay().delete(projectId);
  });
}

/** Settled once the pushes that are being looked at have been: who reads meanwhile does not know who has pushed. */
export const pushesSeen = async (projectId: number): Promise<void> => {
  await underWay().get(projectId);
};
