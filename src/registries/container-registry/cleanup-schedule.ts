import type { Deps } from "@/kernel/deps/deps.ts";
import { repeatJob } from "@/kernel/jobs/repeated-job.ts";
import { cleanUpRegistry } from "./cleanup.ts";

/**
 * The interval of the scheduled job that deletes images. The interval is short, so that images are deleted
 * soon after the request. If no deletions are pending, a run of the job executes only two indexed queries.
 */
const EVERY_MS = 3_000;

/**
 * Starts the scheduled job that executes pending deletions in the container registry. If no registry is
 * configured, the function starts no job.
 * @returns a function that stops the job, and returns a promise that resolves when the current run has ended.
 */
export const scheduleRegistryCleanup = (deps: Deps): (() => Promise<void>) =>
  deps.config.registry === null
    ? () => Promise.resolve()
    : repeatJob(deps, "registry_cleanup", (signal) => cleanUpOnce(deps, signal), {
        everyMs: EVERY_MS,
        firstAfterMs: EVERY_MS,
      });

async function cleanUpOnce(deps: Deps, signal: AbortSignal): Promise<void> {
  try {
    const done = await cleanUpRegistry(deps, { signal });
    if (done > 0) deps.log.info({ event: "registry.tidied", done });
  } catch (cause) {
    deps.log.error({ event: "registry.upkeep_failed" }, cause);
  }
}
