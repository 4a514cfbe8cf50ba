/** Pushes in flight, counted by project and user. Of the process: pages are a bundle of their own. */
const PLACE = Symbol.for("gatehouse.pushes_in_flight");
const place = globalThis as { [PLACE]?: Map<string, number> };

const counts = (): Map<string, number> => {
  place[PLACE] ??= new Map();
  return place[PLACE];
};

const keyOf = (projectId: number, userId: number): string => `${projectId} ${userId}`;

/** Counts a push until the returned function is called, once what it has changed is recorded. */
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

/** Whether a push of the user may have changed branches of the project that are not recorded yet. */
export const isPushing = (projectId: number, userId: number): boolean =>
  counts().has(keyOf(projectId, userId));
