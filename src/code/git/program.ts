import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { withGitSlot } from "./queue";

/**
 * The environment of every Git process. With these environment variables, Git uses no user or system
 * configuration, and never prompts for input.
 */
const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ATTR_NOSYSTEM: "1",
  HOME: "/nonexistent",
  LC_ALL: "C",
  // `GIT_NO_REPLACE_OBJECTS` disables replacement objects, because some plumbing commands ignore
  // `core.useReplaceRefs`.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/nonexistent",
  // The server reads references directly from files and expects ids of 40 digits. Later versions of Git may
  // have other default formats for ids and references.
  GIT_DEFAULT_HASH: "sha1",
  GIT_DEFAULT_REF_FORMAT: "files",
};

/** The Git settings of every Git command. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  // Git checks the objects of a push before any reference points to the objects.
  ["transfer.fsckObjects", "true"],
  // Clients with a partial clone fetch missing objects by id. A hook in `hooks.ts` refuses fetches of commits
  // that are not reachable from any reference.
  ["uploadpack.allowFilter", "true"],
  ["uploadpack.allowReachableSHA1InWant", "true"],
  ["core.useReplaceRefs", "false"],
  // Git syncs objects, packs, indexes and references before it reports success. `sync-repository.ts` syncs the folders.
  ["core.fsync", "committed"],
  ["core.fsyncMethod", "batch"],
  // A push from a shallow clone must not cut the history of the repository.
  ["receive.shallowUpdate", "false"],
  ["receive.advertisePushOptions", "true"],
  // Git must not pack a repository in a background process, because this process would outlive the request.
  // `housekeeping.ts` packs repositories instead.
  ["receive.autogc", "false"],
  ["gc.auto", "0"],
  // Git does not advertise the internal references of the instance to clients.
  ["transfer.hideRefs", "refs/gatehouse"],
  ["uploadpack.hideRefs", "refs/replace"],
  // The `pack.*` settings limit the CPU time and the memory of each pack operation. Several users may share a
  // machine with two cores.
  ["pack.threads", "1"],
  ["pack.windowMemory", "64m"],
  ["core.bigFileThreshold", "32m"],
  ["safe.directory", "*"],
  // Simultaneous requests may write the same reference. Git waits only 0.1 s for the lock of a reference by default,
  // and a slow disk can keep a reference locked for longer while it writes the reference.
  ["core.filesRefLockTimeout", "2000"],
  ["core.packedRefsTimeout", "2000"],
  // With `core.quotePath` off, Git quotes only paths with control characters, quotation marks or backslashes.
  ["core.quotePath", "false"],
];

export type GitCall = Readonly<{
  /** The working folder of the process: a repository, or another folder. */
  cwd: string;
  /** The value of the environment variable PATH. */
  path: string;
  /** Git settings for this call, in addition to `SETTINGS`. */
  settings?: readonly (readonly [key: string, value: string])[];
  variables?: Readonly<Record<string, string>>;
  /**
   * Whether Git gets a pipe on file descriptor 3, to which the Git hooks write a report about the push for
   * the server.
   */
  reports?: boolean;
}>;

/**
 * Starts Git in its own process group, so that `endGit` also ends the child processes of Git.
 * @returns the process. If the system cannot start the process, the returned object has no `pid`, may have no
 * pipes, and emits `error`.
 */
export function startGit(args: readonly string[], call: GitCall): ChildProcessWithoutNullStreams {
  const settings = [...SETTINGS, ...(call.settings ?? [])];
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  const child = spawn("git", args, {
    cwd: call.cwd,
    detached: true,
    stdio: call.reports ? ["pipe", "pipe", "pipe", "pipe"] : "pipe",
    env: {
      ...ENVIRONMENT,
      PATH: call.path,
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(numbered),
      ...call.variables,
    },
  }) as ChildProcessWithoutNullStreams;
  // An `error` event without a listener would terminate the server.
  child.on("error", () => undefined);
  return child;
}

/** The time between SIGTERM and SIGKILL. */
const SIGKILL_DELAY_MS = 3_000;

/**
 * Ends a Git process and its child processes. SIGTERM is sent before SIGKILL, so that Git can remove its lock
 * files and partial files.
 */
export function endGit(child: ChildProcessWithoutNullStreams): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signal(child, "SIGTERM");
  const timer = setTimeout(() => signal(child, "SIGKILL"), SIGKILL_DELAY_MS);
  timer.unref();
  child.once("exit", () => clearTimeout(timer));
}

function signal({ pid }: ChildProcessWithoutNullStreams, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The Git process has already ended.
  }
}

/**
 * The error for a Git command that failed, or that was ended by a signal that the server did not send. The
 * error message contains the beginning of the command's standard error output.
 */
export class GitFailed extends Error {
  readonly status: number | null;
  constructor(args: readonly string[], status: number | null, text: string) {
    super(`git ${args[0] ?? ""} ended with ${status ?? "a signal"}: ${text.slice(0, 500)}`);
    this.name = "GitFailed";
    this.status = status;
  }
}

/**
 * The error for a Git command that the server ended, because the output was too large or the command ran for
 * too long.
 */
export class GitLimit extends Error {
  readonly reason: "too_large" | "too_slow";
  constructor(args: readonly string[], reason: GitLimit["reason"]) {
    super(`git ${args[0] ?? ""} was ended: ${reason}`);
    this.name = "GitLimit";
    this.reason = reason;
  }
}

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

type Run = GitCall & Readonly<{ input?: string | Uint8Array; bytesMax?: number; timeoutMs?: number }>;

/**
 * Waits for a free slot and runs a Git command until it ends.
 * @param call.input the standard input.
 * @param call.bytesMax the maximum size of the output, in bytes.
 * @returns the standard output.
 * @throws GitFailed, GitLimit, GitBusy, or the system's error if Git is not installed.
 */
export const runGit = (args: readonly string[], call: Run): Promise<Buffer> =>
  withGitSlot(() => runNow(args, call));

function runNow(args: readonly string[], call: Run): Promise<Buffer> {
  const { input = "", bytesMax = OUTPUT_BYTES_MAX, timeoutMs = TIMEOUT_MS } = call;
  return new Promise((resolve, reject) => {
    const child = startGit(args, call);
    child.once("error", reject);
    if (child.pid === undefined) return;
    const [out, errors]: [Buffer[], Buffer[]] = [[], []];
    let bytes = 0;
    let limit: GitLimit["reason"] | null = null;
    const end = (reason: GitLimit["reason"]) => {
      if (limit !== null) return;
      limit = reason;
      endGit(child);
    };
    const timer = setTimeout(() => end("too_slow"), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) end("too_large");
      else out.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => errors.length < 16 && errors.push(chunk));
    child.stdin.on("error", () => undefined).end(input);
    child.once("close", (status) => {
      clearTimeout(timer);
      if (limit !== null) reject(new GitLimit(args, limit));
      else if (status === 0) resolve(Buffer.concat(out));
      else reject(new GitFailed(args, status, Buffer.concat(errors).toString("utf8")));
    });
  });
}
