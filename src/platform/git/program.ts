import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { gitTurn } from "./queue";

/** How Git is run: nothing of the person's or the machine's own configuration counts, and it asks nobody anything. */
const SURROUNDINGS = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ATTR_NOSYSTEM: "1",
  HOME: "/nonexistent",
  LC_ALL: "C",
};

/** What holds in every repository, whoever made it. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  // Objects of a push are checked before anything refers to them.
  ["transfer.fsckObjects", "true"],
  // A partial clone fetches what it lacks by name.
  ["uploadpack.allowFilter", "true"],
  ["uploadpack.allowAnySHA1InWant", "true"],
  // A process in the background would outlive the request; see `housekeeping.ts`.
  ["receive.autogc", "false"],
  ["gc.auto", "0"],
  // What belongs to the instance and not to a repository stays hidden.
  ["transfer.hideRefs", "refs/gatehouse"],
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
}>;

/** Starts Git in a process group of its own, so that whatever it starts can be ended with it. */
export function startGit(args: readonly string[], call: GitCall): ChildProcessWithoutNullStreams {
  const settings = [...SETTINGS, ...(call.settings ?? [])];
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return spawn("git", args, {
    cwd: call.cwd,
    detached: true,
    env: {
      ...SURROUNDINGS,
      PATH: call.path,
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(numbered),
      ...call.variables,
    },
  });
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
  gitTurn(() => runNow(args, call));

function runNow(args: readonly string[], call: Run): Promise<Buffer> {
  const { input = "", bytesMax = OUTPUT_BYTES_MAX, timeoutMs = TIMEOUT_MS } = call;
  return new Promise((resolve, reject) => {
    const child = startGit(args, call);
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
    child.once("error", (cause) => {
      clearTimeout(timer);
      reject(cause);
    });
    child.once("close", (status) => {
      clearTimeout(timer);
      if (limit !== null) reject(new GitLimit(args, limit));
      else if (status === 0) resolve(Buffer.concat(out));
      else reject(new GitFailed(args, status, Buffer.concat(problems).toString("utf8")));
    });
  });
}
