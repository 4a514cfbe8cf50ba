import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { withGitSlot } from "./queue";

/** How Git is run: nothing of the person's or the machine's own configuration counts, and it asks nobody anything. */
const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ATTR_NOSYSTEM: "1",
  HOME: "/nonexistent",
  LC_ALL: "C",
  // An object is what its id says. The setting `core.useReplaceRefs` is not read by each plumbing command.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/nonexistent",
};

/** What holds in every repository, whoever made it. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  // Objects of a push are checked before anything refers to them.
  ["transfer.fsckObjects", "true"],
  // A partial clone fetches missing objects by id. Commits that no reference reaches are refused: see `hooks.ts`.
  ["uploadpack.allowFilter", "true"],
  ["uploadpack.allowReachableSHA1InWant", "true"],
  ["core.useReplaceRefs", "false"],
  // Objects, packs, indexes and references are on the disk before Git says that it is done; for the folders see
  // `sync-repository.ts`.
  ["core.fsync", "committed"],
  ["core.fsyncMethod", "batch"],
  // A push from a shallow clone must not cut the history of the repository.
  ["receive.shallowUpdate", "false"],
  ["receive.advertisePushOptions", "true"],
  // A process in the background would outlive the request; see `housekeeping.ts`.
  ["receive.autogc", "false"],
  ["gc.auto", "0"],
  // What belongs to the instance and not to a repository stays hidden.
  ["transfer.hideRefs", "refs/gatehouse"],
  ["uploadpack.hideRefs", "refs/replace"],
  // As much memory as one of two cores should take for somebody else's pack.
  ["pack.threads", "1"],
  ["pack.windowMemory", "64m"],
  ["core.bigFileThreshold", "32m"],
  ["safe.directory", "*"],
  // Only what a line cannot hold is written in another way in the header of a patch.
  ["core.quotePath", "false"],
];

export type GitCall = Readonly<{
  /** The repository, or the folder to work in. */
  cwd: string;
  /** Where programs are looked for. */
  path: string;
  /** Beside what every call gets. */
  settings?: readonly (readonly [key: string, value: string])[];
  variables?: Readonly<Record<string, string>>;
  /** Adds a pipe with the descriptor 3, for what a hook reports to the server. */
  reports?: boolean;
}>;

/**
 * Starts Git in a process group of its own, so that whatever it starts can be ended with it. Where the system refuses
 * to, the process has no `pid`, may have no pipes, and emits `error`.
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
  // An error that nobody listens to would end the server.
  child.on("error", () => undefined);
  return child;
}

const PATIENCE_MS = 3_000;

/** Ends Git and all that it started: kindly first, so that it takes its locks and half-written files away. */
export function endGit(child: ChildProcessWithoutNullStreams): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signal(child, "SIGTERM");
  const timer = setTimeout(() => signal(child, "SIGKILL"), PATIENCE_MS);
  timer.unref();
  child.once("exit", () => clearTimeout(timer));
}

function signal({ pid }: ChildProcessWithoutNullStreams, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/** Git ended with an error, or somebody else ended it: `text` is what it wrote, for the log. */
export class GitFailed extends Error {
  readonly status: number | null;
  constructor(args: readonly string[], status: number | null, text: string) {
    super(`git ${args[0] ?? ""} ended with ${status ?? "a signal"}: ${text.slice(0, 500)}`);
    this.name = "GitFailed";
    this.status = status;
  }
}

/** Git was ended here: it said more than the caller wants to hold, or took more time than anybody waits. */
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
 * Runs Git to its end, when it is its turn.
 * @param call.input is written to it.
 * @param call.bytesMax of what it may say.
 * @returns what it wrote.
 * @throws GitFailed, GitLimit, GitBusy, or the system's error where Git is not installed.
 */
export const runGit = (args: readonly string[], call: Run): Promise<Buffer> =>
  withGitSlot(() => runNow(args, call));

function runNow(args: readonly string[], call: Run): Promise<Buffer> {
  const { input = "", bytesMax = OUTPUT_BYTES_MAX, timeoutMs = TIMEOUT_MS } = call;
  return new Promise((resolve, reject) => {
    const child = startGit(args, call);
    child.once("error", reject);
    if (child.pid === undefined) return;
    const [out, problems]: [Buffer[], Buffer[]] = [[], []];
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
    child.stderr.on("data", (chunk: Buffer) => problems.length < 16 && problems.push(chunk));
    child.stdin.on("error", () => undefined).end(input);
    child.once("close", (status) => {
      clearTimeout(timer);
      if (limit !== null) reject(new GitLimit(args, limit));
      else if (status === 0) resolve(Buffer.concat(out));
      else reject(new GitFailed(args, status, Buffer.concat(problems).toString("utf8")));
    });
  });
}
