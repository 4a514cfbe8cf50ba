import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT, StepFailed } from "./prepare-step.mjs";

const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 6_000;
const OUTPUT_SHOWN = 4_000;

/**
 * Starts a program in a separate process, with the Node version of this process.
 * @param {readonly string[]} args
 * @param {{ env: Record<string, string | undefined>, logFile: string }} options `logFile` gets the output of the
 * program.
 */
export function startProgram(args, { env, logFile }) {
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  return {
    ...supervised(child),
    /** Returns the last part of the output of the program. */
    output: () => readFileSync(logFile, "utf8").slice(-OUTPUT_SHOWN).trim(),
  };
}

/**
 * Runs a program and waits for its end.
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, input?: string, later:
 * import("./temporarily.mjs").Later }} options `input` is the standard input of the program. `later`
 * registers a function that stops the program before its normal end.
 * @returns {Promise<string>} the standard output of the program.
 * @throws StepFailed with the standard error of the program if its exit status is not 0.
 */
export async function runProgram(args, { env = {}, input = "", later }) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env } });
  const { ended, stop } = supervised(child);
  later(stop);
  child.stdin.end(input);
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (child.exitCode !== 0) throw new StepFailed(`${args.join(" ")} failed:\n${problem.trim()}`);
  return output;
}

/** @param {import("node:child_process").ChildProcess} child */
function supervised(child) {
  let isRunning = true;
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    child.once("close", () => {
      isRunning = false;
      resolve();
    });
  });
  const stop = async () => {
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), STOPPED_WITHIN_MS);
    await ended;
    clearTimeout(kill);
  };
  return { pid: child.pid, ended, isRunning: () => isRunning, stop };
}

/**
 * Waits until `url` returns 200.
 * @param {string} url
 * @param {Pick<ReturnType<typeof startProgram>, "isRunning" | "output">} program the program that serves this
 * URL.
 * @throws StepFailed with the output of the program if the program ends before it responds, or takes too
 * long.
 */
export async function untilItAnswers(url, program) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (program.isRunning() && Date.now() < deadline) {
    const response = await fetch(url).catch(() => null);
    if (response?.status === 200) return;
    await pause(50);
  }
  throw new StepFailed(`${url} does not respond:\n${program.output()}`);
}

/** Returns whether a program can listen on `port` of this machine. @param {number} port */
export async function isFree(port) {
  const server = await listening(port).catch(() => null);
  if (server === null) return false;
  server.close();
  await once(server, "close");
  return true;
}

/**
 * The ports from which `freePort` takes its results. They are below the ports that Linux assigns to programs that do
 * not choose a port, and simultaneous processes usually have different ranges. It is therefore unlikely that another
 * program takes the port before the program for which the port was chosen. Browsers refuse port 10080.
 */
const PORTS = { first: 10_100, ranges: 220, inRange: 100 };
let portsTaken = Math.floor(Math.random() * PORTS.inRange);

/**
 * Returns a port on which no program listens.
 * @throws StepFailed if each port in the range of this process is in use.
 */
export async function freePort() {
  const first = PORTS.first + (process.pid % PORTS.ranges) * PORTS.inRange;
  for (let tries = 0; tries < PORTS.inRange; tries += 1) {
    const port = first + (portsTaken % PORTS.inRange);
    portsTaken += 1;
    if (await isFree(port)) return port;
  }
  throw new StepFailed("There is no free port.");
}

/**
 * @param {number} port
 * @returns {Promise<import("node:net").Server>}
 */
const listening = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server));
  });
