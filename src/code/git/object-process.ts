import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { Socket } from "node:net";
import { processWide } from "@/kernel/process/process-wide";
import { endGit, GitFailed, GitLimit, startGit } from "./program";
import { withGitSlot } from "./queue";

/** A repository on the disk. */
export type StoredRepository = Readonly<{
  folder: string;
  /** The unique key of the repository. A later repository in the same folder has a different key. */
  key: string;
}>;

/** A Git object. `content` is empty if only the kind and the size were requested. */
export type GitObject = Readonly<{ id: string; kind: string; sizeBytes: number; content: Buffer }>;

/** `ambiguous` means that several object ids begin with the requested abbreviated id. */
export type ObjectAnswer = GitObject | "missing" | "ambiguous";

export type ObjectRequest = Readonly<{
  repository: StoredRepository;
  /** The environment variable PATH. */
  path: string;
  /** The full or abbreviated ids of the requested objects. */
  ids: readonly string[];
  /** Whether to read only the kinds and sizes of the objects, without their contents. */
  withoutContent?: boolean;
}>;

/** A running `git cat-file --batch-command` process. */
type ObjectProcess = {
  readonly key: string;
  readonly folder: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** A promise that rejects if the system could not start the process. */
  readonly started: Promise<void>;
  /** A promise that resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** The timer that ends the process after `IDLE_MS` without an object request. */
  readonly idle: NodeJS.Timeout;
  /** A promise that settles when the most recent object request has ended. */
  last: Promise<unknown>;
  /** The number of running and waiting object requests. */
  users: number;
  /**
   * Whether a part of the output for an earlier object request may still arrive, so that the output of the
   * process does not match the commands.
   */
  isBroken: boolean;
};

/** The Git processes, with the repository key as key, least recently used first. */
type Pool = { readonly processes: Map<string, ObjectProcess>; isStopped: boolean };

const pool = processWide<Pool>("git-object-processes", () => ({ processes: new Map(), isStopped: false }));

/**
 * The maximum number of object processes. The maximum is higher than the number of slots of `withGitSlot`. A
 * full pool therefore contains an unused process, which can be ended before a new process starts.
 */
export const OBJECT_PROCESSES_MAX = 8;

/** The time without an object request after which a Git process is ended. */
export const IDLE_MS = 60_000;

const BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Limits the cache of unpacked objects in each Git process. Git's default is 96 MB. */
const SETTINGS = [["core.deltaBaseCacheLimit", "4m"]] as const;

/**
 * The pattern of a full or abbreviated object id. An object id must not contain a line feed, because a line
 * feed would begin another command for Git.
 */
const ID = /^[0-9a-f]{4,40}$/;

/** The maximum number of Git processes to which the commands of one request are sent. */
const SENT_MAX = 2;

/**
 * The maximum number of Git processes that one object request uses, including processes that ended before the
 * commands were sent.
 */
const TRIED_MAX = 10;

/**
 * Reads objects of a repository from a Git process. The Git process continues to run for later requests. Each
 * call occupies a slot of the semaphore for Git processes. If the Git process ends before it has returned all
 * objects, the request is repeated once with a new process.
 * @returns the result for each id, in the order of the ids.
 * @throws GitFailed; GitLimit if the total size of the contents is too large or Git takes too long; GitBusy;
 * or the system's error if Git is not installed.
 */
export async function readObjects(request: ObjectRequest): Promise<readonly ObjectAnswer[]> {
  if (!request.ids.every((id) => ID.test(id))) throw new Error("An object id is not hexadecimal.");
  if (request.ids.length === 0) return [];
  return withGitSlot(async () => {
    for (let [tried, sent] = [0, 0]; tried < TRIED_MAX && sent < SENT_MAX; tried += 1) {
      const answers = await exchangeNext(request);
      if (typeof answers !== "string") return answers;
      if (answers === "ended") sent += 1;
    }
    throw new GitFailed(["cat-file"], null, "");
  });
}

/**
 * The result of an object request. `unsent` means that the Git process ended before the commands were sent.
 * `ended` means that the process ended before all objects were returned.
 */
type Exchanged = readonly ObjectAnswer[] | "unsent" | "ended";

/**
 * Sends an object request to the Git process of the repository, after all earlier requests to this Git
 * process have ended.
 */
async function exchangeNext(request: ObjectRequest): Promise<Exchanged> {
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

/** Returns the Git process of a repository. Starts a process if none is running. */
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
  const process: ObjectProcess = {
    ...{ key, folder, child, started, ended, idle },
    ...{ last: Promise.resolve(), users: 0, isBroken: false },
  };
  processes.set(key, process);
  started.catch(() => retire(process));
  void ended.then(() => retire(process));
  if (child.pid === undefined) return process;
  child.stdin.on("error", () => undefined);
  child.stderr.resume();
  // An unused Git process must not prevent the Node.js process from ending.
  child.unref();
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
  return process;
}

/** Ends a Git process, and removes the process from the pool. */
function retire(process: ObjectProcess): void {
  const { processes } = pool();
  clearTimeout(process.idle);
  if (processes.get(process.key) === process) processes.delete(process.key);
  if (process.child.pid !== undefined) endGit(process.child);
}

/**
 * Ends the Git processes of a deleted repository. The returned promise resolves when the processes have
 * ended.
 */
export async function endObjectProcesses(folder: string): Promise<void> {
  const ofFolder = [...pool().processes.values()].filter((process) => process.folder === folder);
  for (const process of ofFolder) retire(process);
  await Promise.all(ofFolder.map(({ ended }) => ended));
}

/**
 * Ends unused Git processes immediately, and all other Git processes after their pending requests. The
 * returned promise resolves when no process is left.
 */
export async function stopObjectProcesses(): Promise<void> {
  const now = pool();
  now.isStopped = true;
  const all = [...now.processes.values()];
  for (const process of all) if (process.users === 0) retire(process);
  // Without the reference, Node.js could end with status 13 before the Git processes have ended.
  for (const { child } of all) child.ref();
  await Promise.all(all.map(({ ended }) => ended));
}

/**
 * Sends the commands of a request and parses Git's output. If the Git process exceeds a limit, or the output
 * does not match the commands, the Git process is ended and never used again.
 * @throws GitLimit.
 */
async function exchange(
  owner: ObjectProcess,
  { ids, withoutContent = false }: ObjectRequest,
): Promise<Exchanged> {
  const { child } = owner;
  await owner.started;
  if (owner.isBroken || child.exitCode !== null || child.signalCode !== null) return "unsent";
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
    const discard = (settle: () => void) => {
      owner.isBroken = true;
      retire(owner);
      finish(settle);
    };
    const exceed = (reason: GitLimit["reason"]) => discard(() => reject(new GitLimit(["cat-file"], reason)));
    const closed = () => finish(() => resolve("ended"));
    const receive = (chunk: Buffer) => {
      chunks.push(chunk);
      receivedBytes += chunk.byteLength;
      if (receivedBytes < neededBytes) return;
      let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      neededBytes = 1;
      while (answers.length < ids.length) {
        const read = readAnswer(rest, ids[answers.length] ?? "", withoutContent);
        if (read === "incomplete") break;
        if (read === "malformed") return discard(() => resolve("ended"));
        if (contentBytes + read.bytes > BYTES_MAX) return exceed("too_large");
        if (read.answer === null) {
          neededBytes = read.bytes;
          break;
        }
        answers.push(read.answer);
        contentBytes += read.bytes;
        rest = rest.subarray(read.bytes);
      }
      [chunks, receivedBytes] = [[rest], rest.byteLength];
      if (answers.length < ids.length) return;
      if (rest.byteLength > 0) discard(() => resolve("ended"));
      else finish(() => resolve(answers));
    };
    const timer = setTimeout(() => exceed("too_slow"), TIMEOUT_MS);
    child.stdout.on("data", receive);
    child.once("close", closed);
    const command = withoutContent ? "info" : "contents";
    child.stdin.write(ids.map((id) => `${command} ${id}\n`).join(""));
  });
}

const LINE_FEED = 10;

/**
 * The maximum length of the first line of an object in Git's output. The line contains the id, the kind and
 * the size of the object.
 */
const LINE_BYTES_MAX = 80;

/**
 * The patterns of two output lines of `git cat-file`: the first line of an object, and the line for a missing
 * or ambiguous object id.
 */
const FOUND = /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d{1,15})$/;
const NOT_FOUND = /^([0-9a-f]{4,40}) (missing|ambiguous)$/;

type ReadAnswer = Readonly<{ answer: ObjectAnswer | null; bytes: number }>;

/**
 * Parses the first object in Git's output. The output has the line `ID KIND SIZE` and, if contents were
 * requested, SIZE bytes and a line feed.
 * @param requested the full or abbreviated id of the object that this part of the output must describe.
 * @returns the parsed object and its length in the output; `answer` is null if the content is incomplete. The
 * result is `incomplete` if the first line is incomplete, and `malformed` if the output does not describe the
 * requested object.
 */
function readAnswer(
  output: Buffer,
  requested: string,
  withoutContent: boolean,
): ReadAnswer | "incomplete" | "malformed" {
  const end = output.subarray(0, LINE_BYTES_MAX).indexOf(LINE_FEED);
  if (end === -1) return output.byteLength < LINE_BYTES_MAX ? "incomplete" : "malformed";
  const line = output.toString("latin1", 0, end);
  const lineBytes = end + 1;
  const [, name, problem] = NOT_FOUND.exec(line) ?? [];
  if (problem !== undefined && name === requested)
    return { answer: problem === "ambiguous" ? "ambiguous" : "missing", bytes: lineBytes };
  const [, id, kind, size] = FOUND.exec(line) ?? [];
  if (id === undefined || kind === undefined || !id.startsWith(requested)) return "malformed";
  const sizeBytes = Number(size);
  if (withoutContent) return { answer: { id, kind, sizeBytes, content: Buffer.alloc(0) }, bytes: lineBytes };
  const bytes = lineBytes + sizeBytes + 1;
  if (output.byteLength < bytes) return { answer: null, bytes };
  if (output[bytes - 1] !== LINE_FEED) return "malformed";
  const content = output.subarray(lineBytes, lineBytes + sizeBytes);
  return { answer: { id, kind, sizeBytes, content }, bytes };
}
