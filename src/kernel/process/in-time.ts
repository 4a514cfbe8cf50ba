/**
 * Returns the result of a function; null if the function fails, or has no result within `ms` milliseconds. The
 * function continues to run after this time. After a stall of the process, expired timers run before input that
 * has already arrived. Therefore, a result that arrives in the same turn of the event loop still counts.
 */
export async function inTime<Result>(ms: number, run: () => Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, null), ms);
  });
  try {
    return await Promise.race([run(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
