/** A worker that lived longer did not die because of its start. */
const QUICK_DEATH_MS = 10_000;

const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 30_000;

/**
 * Returns a function that says how long to wait before a dead worker is replaced: not at all the first time, and twice as
 * long each time when its replacements die soon after their start.
 */
export function restartPauses(): (livedMs: number) => number {
  let quickDeaths = 0;
  return (livedMs) => {
    quickDeaths = livedMs < QUICK_DEATH_MS ? quickDeaths + 1 : 0;
    return quickDeaths <= 1 ? 0 : Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (quickDeaths - 2));
  };
}
