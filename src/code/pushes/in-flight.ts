import { processWide } from "@/kernel/process/process-wide";

/** The number of pushes in flight for each project and user. */
const counts = processWide("pushes-in-flight", () => new Map<string, number>());

const keyOf = (projectId: number, userId: number): string => `${projectId} ${userId}`;

/**
 * Counts a push of the user as in flight, until the returned function is called.
 * @returns a function that the caller must call after the references of the push are recorded. Further calls
 * of the returned function do nothing.
 */
export function beginPush(projectId: number, userId: number): () => void {
  const key = keyOf(projectId, userId);
  counts().set(key, (counts().get(key) ?? 0) + 1);
  let isCounted = true;
  return () => {
    if (!isCounted) return;
    isCounted = false;
    const left = (counts().get(key) ?? 1) - 1;
    if (left === 0) counts().delete(key);
    else counts().set(key, left);
  };
}

/**
 * Returns whether the user has a push in flight. A push in flight may have changed branches although the
 * changes are not recorded yet.
 */
export const isPushing = (projectId: number, userId: number): boolean =>
  counts().has(keyOf(projectId, userId));
