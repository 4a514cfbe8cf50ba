import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { endGit, startGit } from "@/code/git/program";
import { syncRepository } from "@/code/git/sync-repository";
import type { Deps } from "@/kernel/deps/deps";
import { processWide } from "@/kernel/process/process-wide";

/** A repository that somebody has pushed to. */
type Used = Readonly<{ projectId: number; folder: string }>;

type Needs = Pick<Deps, "config" | "log">;

/** Beyond so many that wait, the next push will ask again. */
const WAITING_MAX = 1_000;

/** Longer than the largest repository takes; what hangs must not keep the others waiting for ever. */
const TIMEOUT_MS = 30 * 60_000;

/** When a repository is untidy, and how it is tidied: here, and not by a process that goes on by itself. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["gc.auto", "2000"],
  ["gc.autoPackLimit", "20"],
  ["gc.autoDetach", "false"],
  // What is packed and large stays as it is: it would be written anew again and again.
  ["gc.bigPackThreshold", "256m"],
];

type Current = Readonly<{
  projectId: number;
  child: ChildProcessWithoutNullStreams;
  ended: Promise<unknown>;
}>;
type Work = {
  readonly waiting: Map<number, Readonly<{ deps: Needs; used: Used }>>;
  current: Current | null;
  rounds: Promise<void> | null;
  isStopped: boolean;
};

const work = processWide<Work>("housekeeping", () => ({
  waiting: new Map(),
  current: null,
  rounds: null,
  isStopped: false,
}));

/**
 * Packs a repository soon, where it has become untidy: one after the other, at low priority, and nobody waits for it.
 * Fails silently but for the log: the next push asks again.
 */
export function requestHousekeeping(deps: Needs, used: Used): void {
  const now = work();
  if (now.isStopped || now.waiting.size >= WAITING_MAX) return;
  now.waiting.set(used.projectId, { deps, used });
  now.rounds ??= tidyAll(now);
}

async function tidyAll(now: Work): Promise<void> {
  for (;;) {
    const [next] = now.waiting.values();
    if (next === undefined) break;
    const { deps, used } = next;
    now.waiting.delete(used.projectId);
    await tidy(now, deps, used).catch((cause: unknown) => notTidied(deps, used, cause));
  }
  // At once after the last look: whoever comes from now on begins anew.
  now.rounds = null;
}

async function tidy(now: Work, { config, log }: Needs, { projectId, folder }: Used): Promise<void> {
  if (!existsSync(folder)) return;
  const call = { cwd: folder, path: config.programPath, settings: SETTINGS };
  const child = startGit(["gc", "--auto", "--quiet"], call);
  let problem = "";
  const ended = new Promise<unknown>((resolve) => {
    child.once("error", resolve);
    child.once("close", (status) =>
      resolve(status === 0 || child.signalCode !== null ? null : new Error(problem)),
    );
  });
  now.current = { projectId, child, ended };
  child.stdin.on("error", () => undefined).end();
  child.stdout.resume();
  child.stderr.on("data", (chunk: Buffer) => {
    problem = `${problem}${chunk}`.slice(0, 500);
  });
  giveWay(child);
  const timer = setTimeout(() => endGit(child), TIMEOUT_MS);
  const cause = await ended;
  clearTimeout(timer);
  now.current = null;
  if (cause !== null) notTidied({ log }, { projectId }, cause);
  // Git has moved references and objects to other files.
  if (existsSync(folder)) await syncRepository(folder);
}

/** Nobody waits for it: what goes wrong, down to a system that starts no program any more, ends nothing but itself. */
const notTidied = (
  { log }: Pick<Needs, "log">,
  { projectId }: Pick<Used, "projectId">,
  cause: unknown,
): void => log.warn({ event: "repository.not_tidied", project_id: projectId }, cause);

/** Whoever waits for an answer goes first. */
function giveWay({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or this system has no such thing.
  }
}

/** Settled when nothing works on the repository of a project any more: it is about to be removed. */
export async function cancelHousekeeping(projectId: number): Promise<void> {
  const { waiting, current } = work();
  waiting.delete(projectId);
  if (current?.projectId !== projectId) return;
  endGit(current.child);
  await current.ended;
}

/** Ends what is under way and begins nothing more; settled when no program is left. */
export async function stopHousekeeping(): Promise<void> {
  const now = work();
  now.isStopped = true;
  now.waiting.clear();
  if (now.current !== null) endGit(now.current.child);
  await now.rounds;
}
