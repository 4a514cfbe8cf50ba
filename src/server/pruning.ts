import type { Deps } from "@/kernel/deps/deps.ts";
import { repeatJob } from "@/kernel/jobs/repeated-job.ts";
import { prune } from "@/operations/pruning/service.ts";

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 15 * 60_000;

/**
 * Starts a job that deletes expired rows at intervals. Several processes may run the job simultaneously.
 * @returns a function that stops the job; its promise resolves when no statement is running.
 */
export const schedulePruning = (
  deps: Deps,
  everyMs = EVERY_MS,
  firstAfterMs = FIRST_AFTER_MS,
): (() => Promise<void>) =>
  repeatJob(deps, "prune", (signal) => pruneAndLog(deps, signal), { everyMs, firstAfterMs });

async function pruneAndLog(deps: Deps, signal: AbortSignal): Promise<void> {
  try {
    const removed = await prune(deps, { signal });
    if (Object.values(removed).some((count) => count > 0))
      deps.log.info({ event: "prune.removed", ...removed });
  } catch (cause) {
    deps.log.error({ event: "prune.failed" }, cause);
  }
}
