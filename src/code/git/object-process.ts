import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Socket } from "node:net";
import { processWide } from "@/kernel/process/process-wide";
import { endGit, GitFailed, GitLimit, startGit } from "./program";
import { withGitSlot } from "./queue";

/** A repository on the disk. */
export type StoredRepository = Readonly<{
  folder: string;
  /** Identifies the repository: a later repository in the same folder has another key. */
  key: string;
}>;

/** An object. Its content is empty where only its kind and size were requested. */
export type GitObject = Readonly<{ id: string; kind: string; sizeBytes: number; content: Buffer }>;

/** `ambiguous`: several objects have ids that begin with the requested one. */
export type ObjectAnswer = GitObject | "missing" | "ambiguous";

export type ObjectRequest = Readonly<{
  repository: StoredRepository;
  /** The environment variable PATH. */
  path: string;
  /** Ids, which may be abbreviated. */
  ids: readonly string[];
  /** Whether to read the kinds and sizes without the contents. */
  withoutContent?: boolean;
}>;

/** A process `git cat-file --batch-command`. */
type ObjectProcess = {
  readonly key: string;
  readonly folder: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** Rejects where the system could not start the process. */
  readonly started: Promise<void>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Ends the process when it is not used. */
  readonly idle: NodeJS.Timeout;
  /** Settles after the last exchange that was requested. */
  last: Promise<unknown>;
  /** The number of exchanges that run or wait. */
  users: number;
};

/** The processes by the keys of their repositories, in the order of their last use. */
type Pool = { readonly processes: Map<string, ObjectProcess>; isStopped: boolean };

const pool = processWide<Pool>("git-object-processes", () => ({ processes: new Map(), isStopped: false }));

/** More than the slots of `withGitSlot`, so that an unused process can always be ended for a new one. */
export const OBJECT_PROCESSES_MAX = 8;

/** The time without exchanges after which a process is ended. */
export const IDLE_MS = 60_000;

const BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** By default, each process may keep 96 MB of unpacked objects. */
const SETTINGS = [["core.deltaBaseCacheLimit", "4m"]] as const;

/** An id. A line feed would begin another command. */
const ID = /^[0-9a-f]{4,40}$/;

/** The process ended before it had answered. */
class ObjectProcessEnded extends Error {}

/**
 * Reads objects of a repository, in a slot of the semaphore, from a Git process that stays for later requests. If the
 * process ends in between, the request is repeated once with a new process.
 * @returns an answer for each id, in their order.
 * @throws GitFailed, GitLimit where the contents are too large together or Git takes too long, GitBusy, or the system's
 * error where Git is not installed.
 */
export async function readObjects(request: ObjectRequest): Promise<readonly ObjectAnswer[]> {
  if (!request.ids.every((id) => ID.test(id))) throw new Error("An object id is not hexadecimal.");
  if (request.ids.length === 0) return [];
  return withGitSlot(async () => {
    try {
      return await exchangeNext(request);
    } catch (cause) {
      if (!(cause instanceof ObjectProcessEnded)) throw cause;
    }
    try {
      return await exchangeNext(request);
    } catch (cause) {
      throw cause instanceof ObjectProcessEnded ? new GitFailed(["cat-file"], null, "") : cause;
    }
  });
}

/** Runs an exchange after those that other requests have begun with the process of the repository. */
async function exchangeNext(request: ObjectRequest): Promise<readonly ObjectAnswer[]> {
  const owner = processOf(request);
  owner.users += 1;
  const answers = owner.last.then(() => exchange(owner, request));
  owner.last = answers.catch(() => undefined);
  try {
    return await answers;
  } finally {
    owner.users -= 1;
    owner.idle.refresh();
    if (owner.users === 0 && pool().isStopped) retire(owner);
  }
}

/** Returns the process of a repository, and starts it where it is missing. */
function processOf({ repository, path }: ObjectRequest): ObjectProcess {
  const { processes } = pool();
  const running = processes.get(repository.key);
  if (running === undefined) return startProcess(repository, path);
  processes.delete(repository.key);
  processes.set(repository.key, running);
  return running;
}

function startProcess({ folder, key }: StoredRepository, path: string): ObjectProcess {
  const { processes } = pool();
  for (const other of processes.values()) {
    if (processes.size < OBJECT_PROCESSES_MAX) break;
    if (other.users === 0) retire(other);
  }
  const child = startGit(["cat-file", "--batch-command"], { cwd: folder, path, settings: SETTINGS });
  const started = new Promise<void>((resolve, reject) => {
    if (child.pid === undefined) child.once("error", reject);
    else resolve();
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", resolve).once("error", () => resolve());
  });
  const idle = setTimeout(() => retire(process), IDLE_MS).unref();
  const process = { key, folder, child, started, ended, idle, last: Promise.resolve(), users: 0 };
  processes.set(key, process);
  started.catch(() => retire(process));
  void ended.then(() => retire(process));
  if (child.pid === undefined) return process;
  child.stdin.on("error", () => undefined);
  child.stderr.resume();
  // The process of the server or the command line does not wait for an unused process.
  child.unref();
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
  return process;
}

/** Removes a process from the pool and ends it. */
function retire(process: ObjectProcess): void {
  const { processes } = pool();
  clearTimeout(process.idle);
  if (processes.get(process.key) === process) processes.delete(process.key);
  if (process.child.pid !== undefined) endGit(process.child);
}

/** Ends the process of a repository that has been removed. Resolves when it has ended. */
export async function endObjectProcesses(folder: string): Promise<void> {
  const ofFolder = [...pool().processes.values()].filter((process) => process.folder === folder);
  for (const process of ofFolder) retire(process);
  await Promise.all(ofFolder.map(({ ended }) => ended));
}

/** Ends all processes; those in use after their last exchange. Resolves when none is left. */
export async function stopObjectProcesses(): Promise<void> {
  const now = pool();
  now.isStopped = true;
  const all = [...now.processes.values()];
  for (const process of all) if (process.users === 0) retire(process);
  await Promise.all(all.map(({ ended }) => ended));
}

/** Sends the commands of a request, and reads the answers. A process that exceeds a limit is ended. */
async function exchange(
  { child, started }: ObjectProcess,
  { ids, withoutContent = false }: ObjectRequest,
): Promise<readonly ObjectAnswer[]> {
  await started;
  if (child.exitCode !== null || child.signalCode !== null) throw new ObjectProcessEnded();
  return new Promise((resolve, reject) => {
    const answers: ObjectAnswer[] = [];
    let contentBytes = 0;
    let chunks: Buffer[] = [];
    let [receivedBytes, neededBytes] = [0, 1];
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      child.stdout.off("data", receive);
      child.off("close", closed);
      settle();
    };
    const end = (reason: GitLimit["reason"]) => {
      endGit(child);
      finish(() => reject(new GitLimit(["cat-file"], reason)));
    };
    const closed = () => finish(() => reject(new ObjectProcessEnded()));
    const receive = (chunk: Buffer) => {
      chunks.push(chunk);
      receivedBytes += chunk.byteLength;
      if (receivedBytes < neededBytes) return;
      let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      neededBytes = 1;
      for (
        let read = readAnswer(rest, withoutContent);
        read !== null;
        read = readAnswer(rest, withoutContent)
      ) {
        if (contentBytes + read.bytes > BYTES_MAX) return end("too_large");
        if (read.answer === null) {
          neededBytes = read.bytes;
          break;
        }
        answers.push(read.answer);
        contentBytes += read.bytes;
        rest = rest.subarray(read.bytes);
      }
      [chunks, receivedBytes] = [[rest], rest.byteLength];
      if (answers.length === ids.length) finish(() => resolve(answers));
    };
    const timer = setTimeout(() => end("too_slow"), TIMEOUT_MS);
    child.stdout.on("data", receive);
    child.once("close", closed);
    const command = withoutContent ? "info" : "contents";
    child.stdin.write(ids.map((id) => `${command} ${id}\n`).join(""));
  });
}

const LINE_FEED = 10;

/**
 * Reads the first answer in the output: `ID KIND SIZE`, and with contents also SIZE bytes and a line feed.
 * @returns the answer, null while it is incomplete, and its length in bytes; null before the end of its first line.
 */
function readAnswer(
  output: Buffer,
  withoutContent: boolean,
): Readonly<{ answer: ObjectAnswer | null; bytes: number }> | null {
  const end = output.indexOf(LINE_FEED);
  if (end === -1) return null;
  const [id = "", kind = "", size] = output.toString("latin1", 0, end).split(" ");
  const lineBytes = end + 1;
  if (size === undefined) return { answer: kind === "ambiguous" ? "ambiguous" : "missing", bytes: lineBytes };
  const sizeBytes = Number(size);
  if (withoutContent) return { answer: { id, kind, sizeBytes, content: Buffer.alloc(0) }, bytes: lineBytes };
  const bytes = lineBytes + sizeBytes + 1;
  if (output.byteLength < bytes) return { answer: null, bytes };
  const content = output.subarray(lineBytes, lineBytes + sizeBytes);
  return { answer: { id, kind, sizeBytes, content }, bytes };
}
