import { processWide } from "../process/process-wide.ts";

/**
 * The maximum number of keys, which limits the memory. Only keys of existing clients are counted, so the
 * limit is never reached in practice.
 */
const KEYS_MAX = 100_000;

type Window = { endsAt: number; count: number };

export type CountingWindows = Readonly<{
  /** Returns the number of uses of a key in the current window of the key, and the end of this window. */
  current: (key: number, now: Date) => Window;
}>;

/**
 * Returns a counter of uses per key, in windows that begin with the first use of a key. The counts are in the
 * memory of this process, because a count that all processes share would need a write for each use.
 * @param name the name of the counts, which is unique in the process.
 */
export function countingWindows(name: string, lengthMs: number): CountingWindows {
  const counted = processWide(`counting-windows ${name}`, () => new Map<number, Window>());
  return {
    current(key, now) {
      const windows = counted();
      const at = now.getTime();
      const existing = windows.get(key);
      // The duration of a window must not increase when the system clock is set back.
      if (existing !== undefined && at < existing.endsAt && existing.endsAt - at <= lengthMs) return existing;
      if (windows.size >= KEYS_MAX) windows.clear();
      const window = { endsAt: at + lengthMs, count: 0 };
      windows.set(key, window);
      return window;
    },
  };
}
