import type { Deps } from "@/kernel/deps/deps.ts";
import { repeatJob } from "@/kernel/jobs/repeated-job.ts";
import { prune } from "@/operations/pruning/service.ts";

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 15 * 60_000;

/**
 * Prunes at intervals, until it is stopped. Rows that one process has removed are no longer found by others.
 * @returns a function that stops it; its promise settles when no statement is running.
 */
export const schedulePruning = (
  deps: Deps,
  everyMs = EVERY_MS,
  firstAfterMs = FIRST_AFTER_MS,
): (() => Promise<void>) => repeatJob(deps, (signal) => pruneAndLog(deps, signal), { everyMs, firstAfterMs });

async function pruneAndLog(deps: Deps, signal: AbortSignal): Promise<void> {
  try {
    const removed = await prune(deps, { signal });
    if (Object.values(removed).some((count) => count > 0))
      deps.log.info({ event: "prune.removed", ...removed });
  } catch (cause) {
    deps.log.error({ event: "prune.failed" }, cause);
  }
}
