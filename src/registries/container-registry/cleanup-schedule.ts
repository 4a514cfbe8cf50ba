import type { Deps } from "@/kernel/deps/deps.ts";
import { repeatJob } from "@/kernel/jobs/repeated-job.ts";
import { cleanUpRegistry } from "./cleanup.ts";

/** Soon after somebody has asked for it; two look-ups by an index when nobody has. */
const EVERY_MS = 3_000;

/**
 * Removes in the container registry what was asked to be, until it is stopped; does nothing where there is none.
 * @returns stops it; settled once nothing is under way any more.
 */
export const scheduleRegistryCleanup = (deps: Deps): (() => Promise<void>) =>
  deps.config.registry === null
    ? () => Promise.resolve()
    : repeatJob(deps, (signal) => cleanUpOnce(deps, signal), { everyMs: EVERY_MS, firstAfterMs: EVERY_MS });

async function cleanUpOnce(deps: Deps, signal: AbortSignal): Promise<void> {
  try {
    const done = await cleanUpRegistry(deps, { signal });
    if (done > 0) deps.log.info({ event: "registry.tidied", done });
  } catch (cause) {
    deps.log.error({ event: "registry.upkeep_failed" }, cause);
  }
}
