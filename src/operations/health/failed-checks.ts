import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";
import type { FailedCheck } from "@/ui/failure-page";
import { type Readiness, readiness } from "./readiness";

/**
 * The checks of the readiness probe, each with the cause of a failure or the next step. Error pages show these texts
 * to everyone, so the texts contain no details of the server.
 */
const TEXTS = {
  database: "the database does not respond within a second, or its file was deleted.",
  migrations:
    "migrations are pending, or the check took too long. If migrations are pending, restart the server to apply them.",
  storage: "no file can be written in the data directory. Free some space, or check the disk.",
  disk_space: "the disk is nearly full, and writes are about to fail. Free some space, or enlarge the disk.",
  stopping: "this process has received a stop signal, and ends when the open requests are complete.",
  workers: "not every worker process has started yet. The log contains the reason if a worker cannot start.",
} as const satisfies Record<keyof Required<Readiness["checks"]>, string>;

const MIGRATIONS_UNKNOWN = "the migrations cannot be checked, because the database does not respond.";

/** Returns the failed checks of a result of the readiness probe. */
export const failedChecksOf = (checks: Readiness["checks"]): readonly FailedCheck[] =>
  (Object.keys(TEXTS) as (keyof typeof TEXTS)[])
    .filter((name) => checks[name] === "failing")
    .map((name) => ({
      name,
      text: name === "migrations" && checks.database === "failing" ? MIGRATIONS_UNKNOWN : TEXTS[name],
    }));

/**
 * The time for which the failed checks are cached and shared by all calls, because the number of checks must not depend
 * on the number of pages that fail.
 */
const FRESH_MS = 1_000;

const lastChecks = processWide(
  "failed-checks",
  () => new WeakMap<Deps, Readonly<{ at: number; failed: Promise<readonly FailedCheck[]> }>>(),
);

/**
 * Returns the checks of the readiness probe that fail at the moment. The promise never rejects.
 * @param timeoutMs the time limit of each check in milliseconds.
 */
export function failedChecks(deps: Deps, timeoutMs?: number): Promise<readonly FailedCheck[]> {
  const at = performance.now();
  const last = lastChecks().get(deps);
  if (last !== undefined && at - last.at < FRESH_MS) return last.failed;
  const failed = readiness(deps, undefined, timeoutMs).then(({ checks }) => failedChecksOf(checks));
  lastChecks().set(deps, { at, failed });
  return failed;
}
