import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../scripts/program.mjs";
import { type Finished, runCommand } from "./command-line.ts";
import { makeDatabase } from "./postgresql.ts";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const READY_WITHIN_MS = 120_000;

/**
 * The password of the user root. A random password could be refused, because the list of leaked passwords is a Bloom
 * filter.
 */
const ROOT_PASSWORD = "walnut tractor ninety lanterns";

type Mount = "server" | "next";
export type Options = Readonly<{
  /** `server` is the server of `npm start`; `next` is a plain `next start`. */
  mount?: Mount;
  database?: "sqlite" | "postgresql";
  env?: Readonly<Record<string, string>>;
  /**
   * The public URL of the instance. The server listens on the port of this URL. By default, the public URL
   * has a free port of localhost.
   */
  baseUrl?: string;
  /** The checkout whose server is started. By default, the server of this checkout is started. */
  checkout?: string;
  /** The probe that must return 200 before the instance counts as started. The default is `readiness`. */
  until?: Probe;
  /** The number of file descriptors that the server process may open, as set by `ulimit -n`. */
  openFilesMax?: number;
  /**
   * With `unread`, the pipe of the standard output is not read, and `log` contains only the standard error.
   */
  standardOutput?: "read" | "unread";
}>;

type Probe = "readiness" | "liveness";

/** A separate Gatehouse server: built, on a free port, with an empty database. */
export type Instance = Readonly<{
  baseUrl: string;
  rootPassword: string;
  dataDir: string;
  env: Readonly<Record<string, string>>;
  /**
   * Runs the command `gatehouse …args` on the data of this instance, in a process that later commands reuse.
   */
  cli: (...args: readonly string[]) => Promise<Finished>;
  /** Runs `gatehouse …args` on the data of this instance, in a new process. */
  program: (...args: readonly string[]) => Promise<Finished>;
  /** Returns the output of the server so far. */
  log: () => string;
  /** The id of the running server process. */
  processId: () => number;
  /** Sends a signal and waits until the process has ended. */
  kill: (signal: NodeJS.Signals) => Promise<number | null>;
  /**
   * Starts the server again after `kill`, with the same port and the same data.
   * @param changes environment variables that the server, later commands and later servers have from now on.
   */
  restart: (changes?: Readonly<Record<string, string>>) => Promise<void>;
  /** Ends the server process, and deletes the data of the instance. */
  stop: () => Promise<void>;
}>;

/**
 * Starts an instance and waits until it is ready.
 * @throws an Error with the output of the server if the instance does not become ready.
 */
export async function startInstance(options: Options = {}): Promise<Instance> {
  const port = options.baseUrl === undefined ? await freePort() : Number(new URL(options.baseUrl).port);
  const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-e2e-"));
  const database = options.database === "postgresql" ? await makeDatabase() : null;
  const baseUrl = options.baseUrl ?? `http://localhost:${port}`;
  const env = {
    PORT: String(port),
    BASE_URL: baseUrl,
    DATA_DIR: dataDir,
    GATEHOUSE_ROOT_PASSWORD: ROOT_PASSWORD,
    ...(database === null
      ? {}
      : { DATABASE_URL: database.url, GATEHOUSE_SECRET: randomBytes(32).toString("hex") }),
    ...options.env,
  };
  const { checkout = ROOT } = options;
  const command = commandOf(options.mount ?? "server", port, checkout);
  const server = await supervise(command, env, baseUrl, options);
  const program: Instance["program"] = (...args) =>
    finish(start([join(checkout, "bin/gatehouse.mjs"), ...args], env));
  return {
    baseUrl,
    rootPassword: ROOT_PASSWORD,
    dataDir,
    env,
    cli: checkout === ROOT ? (...args) => runCommand(environment(env), args) : program,
    program,
    ...server,
    stop: async () => {
      await server.kill("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

/**
 * Starts another server process on the data of `instance`, with the same public URL. `url` is the internal URL of the
 * new process.
 * @param env environment variables that only the new process has.
 */
export async function startBeside(
  instance: Instance,
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<{ url: string; stop: () => Promise<void> }>> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const own = { ...instance.env, ...env, PORT: String(port) };
  const server = await supervise(commandOf("server", port), own, url);
  return { url, stop: async () => void (await server.kill("SIGTERM")) };
}

/**
 * Returns the command that starts the server of a checkout. In another checkout, which may be an earlier
 * release without `e2e/serve.mjs`, this command is the command of `npm start`.
 */
const serverOf = (checkout: string): readonly string[] =>
  checkout === ROOT ? [join(ROOT, "e2e/serve.mjs")] : [join(checkout, "bin/gatehouse.mjs"), "serve"];

const commandOf = (mount: Mount, port: number, checkout = ROOT): readonly string[] =>
  mount === "server"
    ? serverOf(checkout)
    : [
        join(checkout, "node_modules/next/dist/bin/next"),
        "start",
        "--hostname",
        "127.0.0.1",
        "--port",
        String(port),
      ];

async function supervise(
  command: readonly string[],
  env: Record<string, string>,
  baseUrl: string,
  {
    until = "readiness",
    openFilesMax,
    standardOutput = "read",
  }: Omit<Options, "mount" | "database" | "env" | "baseUrl"> = {},
): Promise<Pick<Instance, "log" | "processId" | "kill" | "restart">> {
  let output = "";
  let child = await startReady();

  async function startReady(): Promise<ChildProcess> {
    const started = start(command, env, openFilesMax);
    const streams = standardOutput === "read" ? [started.stdout, started.stderr] : [started.stderr];
    for (const stream of streams)
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    await waitUntilReady(`${baseUrl}/-/${until}`, started, () => output);
    return started;
  }

  return {
    log: () => output,
    processId: () => child.pid ?? 0,
    kill: async (signal) => {
      // If no process reads the standard output stream, the stream never closes.
      const gone = isGone(child)
        ? Promise.resolve()
        : once(child, standardOutput === "read" ? "close" : "exit");
      child.kill(signal);
      await gone;
      return child.exitCode;
    },
    restart: async (changes = {}) => {
      Object.assign(env, changes);
      child = await startReady();
    },
  };
}

const isGone = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

function start(args: readonly string[], env: Record<string, string>, openFilesMax?: number): ChildProcess {
  const command = [process.execPath, ...args];
  const limited = ["sh", "-c", `ulimit -n ${openFilesMax}; exec "$@"`, "sh", ...command];
  const [program = "", ...rest] = openFilesMax === undefined ? command : limited;
  return spawn(program, rest, {
    cwd: ROOT,
    env: environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, ...inherited } = process.env;
  return { ...inherited, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env };
}

async function waitUntilReady(probe: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline && !isGone(child)) {
    const response = await fetch(probe).catch(() => null);
    if (response?.status === 200) return;
    await pause(50);
  }
  child.kill("SIGKILL");
  throw new Error(`The instance did not become ready:\n${output()}`);
}

async function finish(child: ChildProcess): Promise<Finished> {
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text) => {
      written[name] += text;
    });
  await once(child, "close");
  return { code: child.exitCode, ...written };
}
