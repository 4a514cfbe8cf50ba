import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { endGit, startGit } from "@/code/git/program";
import { syncRepository } from "@/code/git/sync-repository";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";

/** A repository that has received a push. */
type PushedRepository = Readonly<{ projectId: number; folder: string }>;

type Needs = Pick<Deps, "config" | "log">;

/**
 * The maximum number of repositories in the housekeeping queue. A full queue discards new requests, because
 * the next push to the same repository causes another request.
 */
const WAITING_MAX = 1_000;

/**
 * The time limit for packing a repository. Even the largest repositories can be packed within this time
 * limit. The time limit ensures that a hung Git process does not block the housekeeping queue.
 */
const TIMEOUT_MS = 30 * 60_000;

/**
 * The settings of `git gc --auto`: thresholds, and a setting that prevents Git from continuing in the
 * background.
 */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["gc.auto", "2000"],
  ["gc.autoPackLimit", "20"],
  ["gc.autoDetach", "false"],
  // The size above which Git keeps a pack unchanged. Without this limit, every run of `git gc` would rewrite
  // large packs.
  ["gc.bigPackThreshold", "256m"],
];

type Current = Readonly<{
  projectId: number;
  child: ChildProcessWithoutNullStreams;
  ended: Promise<unknown>;
}>;
type Work = {
  readonly waiting: Map<number, Readonly<{ deps: Needs; repository: PushedRepository }>>;
  current: Current | null;
  queueRun: Promise<void> | null;
  isStopped: boolean;
};

const work = processWide<Work>("housekeeping", () => ({
  waiting: new Map(),
  current: null,
  queueRun: null,
  isStopped: false,
}));

/**
 * Queues a repository for `git gc --auto`. Repositories are packed one after another at low priority.
 * Failures are only logged, because the next push causes another housekeeping request.
 */
export function requestHousekeeping(deps: Needs, repository: PushedRepository): void {
  const now = work();
  if (now.isStopped || now.waiting.size >= WAITING_MAX) return;
  now.waiting.set(repository.projectId, { deps, repository });
  now.queueRun ??= runQueue(now);
}

async function runQueue(now: Work): Promise<void> {
  for (;;) {
    const [next] = now.waiting.values();
    if (next === undefined) break;
    const { deps, repository } = next;
    now.waiting.delete(repository.projectId);
    await collectGarbage(now, deps, repository).catch((cause: unknown) =>
      logFailure(deps, repository, cause),
    );
  }
  // No `await` separates this statement from the check that the queue is empty. Therefore, no housekeeping
  // request can be queued after the check and before this statement. The next housekeeping request restarts
  // the processing of the queue.
  now.queueRun = null;
}

async function collectGarbage(
  now: Work,
  { config, log }: Needs,
  { projectId, folder }: PushedRepository,
): Promise<void> {
  if (!existsSync(folder)) return;
  const call = { cwd: folder, path: config.programPath, settings: SETTINGS };
  const child = startGit(["gc", "--auto", "--quiet"], call);
  let errorText = "";
  const ended = new Promise<unknown>((resolve) => {
    child.once("error", resolve);
    child.once("close", (status) =>
      resolve(status === 0 || child.signalCode !== null ? null : new Error(errorText)),
    );
  });
  now.current = { projectId, child, ended };
  child.stdin.on("error", () => undefined).end();
  child.stdout.resume();
  child.stderr.on("data", (chunk: Buffer) => {
    errorText = `${errorText}${chunk}`.slice(0, 500);
  });
  lowerPriority(child);
  const timer = setTimeout(() => endGit(child), TIMEOUT_MS);
  const cause = await ended;
  clearTimeout(timer);
  now.current = null;
  if (cause !== null) logFailure({ log }, { projectId }, cause);
  // The folders of the repository are synced, because `git gc` has written references and objects to new
  // files.
  if (existsSync(folder)) await syncRepository(folder);
}

/**
 * Logs a failure of housekeeping. The failure is only logged, because no caller waits for the result of
 * housekeeping.
 */
const logFailure = (
  { log }: Pick<Needs, "log">,
  { projectId }: Pick<PushedRepository, "projectId">,
  cause: unknown,
): void => log.warn({ event: "repository.not_tidied", project_id: projectId }, cause);

/** Lowers the priority of a housekeeping process, because requests to the server have precedence. */
function lowerPriority({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The housekeeping process has already ended, or the system does not support priorities.
  }
}

/**
 * Removes a repository from the housekeeping queue before the repository is deleted. The promise resolves
 * when no Git process uses the repository.
 */
export async function cancelHousekeeping(projectId: number): Promise<void> {
  const { waiting, current } = work();
  waiting.delete(projectId);
  if (current?.projectId !== projectId) return;
  endGit(current.child);
  await current.ended;
}

/** Ends the current Git process and clears the queue permanently. The promise resolves when no Git process is left. */
export async function stopHousekeeping(): Promise<void> {
  const now = work();
  now.isStopped = true;
  now.waiting.clear();
  if (now.current !== null) endGit(now.current.child);
  await now.queueRun;
}
