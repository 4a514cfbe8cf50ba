/**
 * The minimum lifetime of a worker. If a worker ends after a longer lifetime, the end does not count as a
 * failed start.
 */
const QUICK_DEATH_MS = 10_000;

const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 30_000;

/**
 * Returns a function that computes the pause before an ended worker is replaced. The first pause is 0. The
 * pause doubles each time that the new worker ends soon after its start.
 */
export function restartPauses(): (livedMs: number) => number {
  let quickDeaths = 0;
  return (livedMs) => {
    quickDeaths = livedMs < QUICK_DEATH_MS ? quickDeaths + 1 : 0;
    return quickDeaths <= 1 ? 0 : Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (quickDeaths - 2));
  };
}
