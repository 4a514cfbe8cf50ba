import type { Deps } from "@/kernel/deps/deps";
import type { diskSpaceOf } from "@/kernel/disk/disk-space";
import { processWide } from "@/kernel/process/process-wide";
import { isStopping } from "@/kernel/process/stopping";
import { currentWorker } from "@/kernel/process/worker";
import { type CheckResult, type LiveChecks, runLiveChecks } from "./live-checks";

/** The current stage of the start of an instance. */
export type StartStage = "database" | "migrations";

export type Readiness = Readonly<{
  /**
   * `failing` if a check fails. `warning` if all checks succeed, but the list `warnings` is not empty: the process can
   * receive requests, and an operator should act.
   */
  status: "ok" | "warning" | "failing";
  /**
   * The check `workers` exists only in a server with several workers. The check `workers` fails until each
   * worker has started once.
   */
  checks: LiveChecks["checks"] & Readonly<{ stopping: CheckResult; workers?: CheckResult }>;
  warnings: LiveChecks["warnings"];
}>;

const start = processWide<{ stage: StartStage | null; allWorkersStarted: boolean }>("start-stage", () => ({
  stage: null,
  allWorkersStarted: false,
}));

/** Records the current stage of the start of this process, for the probes. */
export function setStartStage(stage: StartStage): void {
  start().stage = stage;
}

/** Records that every worker of the server has started at least once. */
export function setAllWorkersStarted(): void {
  start().allWorkersStarted = true;
}

const workersCheck = (): Readonly<{ workers?: CheckResult }> =>
  currentWorker() === null ? {} : { workers: start().allWorkersStarted ? "ok" : "failing" };

/**
 * Returns the result of the readiness probe while this process waits for its database server or migrates the
 * database.
 */
export const readinessAtStart = (): Readiness => ({
  status: "failing",
  checks: {
    database: start().stage === "migrations" ? "ok" : "failing",
    migrations: "failing",
    storage: "ok",
    disk_space: "ok",
    stopping: isStopping() ? "failing" : "ok",
    ...workersCheck(),
  },
  warnings: [],
});

function statusOf(checks: Readiness["checks"], warnings: Readiness["warnings"]): Readiness["status"] {
  if (Object.values(checks).includes("failing")) return "failing";
  return warnings.length > 0 ? "warning" : "ok";
}

/**
 * Checks within a second whether this process can receive requests. Returns the result of each check. The
 * promise never rejects.
 * @param spaceOf returns the free space of the file system of a folder.
 * @param timeoutMs the time limit of each check in milliseconds.
 */
export async function readiness(
  deps: Deps,
  spaceOf?: typeof diskSpaceOf,
  timeoutMs?: number,
): Promise<Readiness> {
  const { checks: live, warnings } = await runLiveChecks(deps, spaceOf, timeoutMs);
  const checks = { ...live, stopping: isStopping() ? "failing" : "ok", ...workersCheck() } as const;
  return { status: statusOf(checks, warnings), checks, warnings };
}
