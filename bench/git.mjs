import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startInstance } from "../scripts/instance.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { freePort, startProgram, untilItAnswers } from "../scripts/program.mjs";
import { processorTime } from "./processor-time.mjs";

/**
 * @import { Instance } from "../scripts/instance.mjs"
 * @import { Later } from "../scripts/temporarily.mjs"
 * @typedef {{ place: string, baseUrl: string, token: string, command: Instance["command"], pid: number | undefined }} Desk
 */

/**
 * The targets: the memory growth of the server during a push of 300 MB, and the time of a clone relative to
 * `git http-backend`.
 */
export const PUSH_MEGABYTES_MAX = 100;
export const CLONE_RATIO_MAX = 1.3;

const MEGABYTE = 1_048_576;
const BLOBS = 150;
const BLOB_MEGABYTES = 2;
const COMMITS = 10_000;
const FILES = 200;
const ROUNDS = 7;
const TURNS = /** @type {const} */ (["gatehouse", "backend"]);

/**
 * Measures a push of large files to Gatehouse, and clones of a repository with many commits. The clones come
 * from Gatehouse, and from a Node server that runs `git http-backend` on the same folder. Each round clones
 * the repository from both servers, and the order of the servers is swapped after each round.
 * @param {string} folder
 * @param {Later} later
 * @throws StepFailed when Git fails.
 */
export async function measureGit(folder, later) {
  const place = join(folder, "git");
  await mkdir(place);
  const { baseUrl, command, program } = await startInstance({ port: await freePort(), folder: place, later });
  const created = await command("token", "create", "--user=root", "--scopes=api", "--name=benchmark");
  const { token } = /** @type {{ token: string }} */ (created);
  const desk = { place, baseUrl, token, command, pid: program.pid };
  const push = await measurePush(desk);
  const clones = await measureClones(desk, later);
  return { push, clones };
}

/** @param {Desk} desk */
async function measurePush(desk) {
  const source = join(desk.place, "large.git");
  await imported(source, largeFiles());
  const { url } = await newProject(desk, "large");
  // A warm-up request calls the server's functions for Git, so that slow first calls do not distort the
  // measurement of the push.
  await git(["ls-remote", url]);
  const memory = watched(desk.pid);
  const seconds = await timed(() => git(["--git-dir", source, ...QUICK, "push", "--quiet", url, "main"]));
  return { megabytes: BLOBS * BLOB_MEGABYTES, seconds: seconds / 1000, ...(await memory.stop()) };
}

/**
 * @param {Desk} desk
 * @param {Later} later
 */
async function measureClones({ place, ...desk }, later) {
  const source = join(place, "many.git");
  await imported(source, manyCommits());
  const { id, url } = await newProject(desk, "many");
  await git(["--git-dir", source, "push", "--quiet", url, "main"]);
  const port = await freePort();
  const repositories = join(place, "data/repositories");
  const backend = startProgram(["bench/git-backend.mjs"], {
    env: { PORT: String(port), FOLDER: repositories },
    logFile: join(place, "backend.log"),
  });
  later(backend.stop);
  const plain = `http://localhost:${port}/${id}.git`;
  await untilItAnswers(`${plain}/info/refs?service=git-upload-pack`, backend);
  const to = join(place, "clone.git");
  /** @param {string} from */
  const clone = async (from) => {
    const milliseconds = await timed(() => git(["clone", "--quiet", "--bare", from, to]));
    const count = await git(["--git-dir", to, "rev-list", "--count", "main"]);
    if (Number(count) !== COMMITS) throw new StepFailed(`A clone has ${count.trim()} commits.`);
    await rm(to, { recursive: true });
    return milliseconds;
  };
  /** @type {{ gatehouse: number[], backend: number[] }} */
  const samples = { gatehouse: [], backend: [] };
  /** @type {number[]} */
  const processorMilliseconds = [];
  for (const from of [url, plain]) await clone(from);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const server of round % 2 === 0 ? TURNS : TURNS.toReversed()) {
      const before = processorTime(desk.pid);
      samples[server].push(await clone(server === "gatehouse" ? url : plain));
      if (server === "gatehouse") processorMilliseconds.push((processorTime(desk.pid) - before) / 1_000);
    }
  return { commits: COMMITS, ...samples, processorMilliseconds };
}

/**
 * @param {Pick<Desk, "baseUrl" | "token" | "command">} desk
 * @param {string} name
 */
async function newProject({ baseUrl, token, command }, name) {
  const created = await command("project", "create", `--path=bench/${name}`, "--owner=root");
  const { id, path } = /** @type {{ id: number, path: string }} */ (created);
  return { id, url: `${baseUrl.replace("://", `://x:${token}@`)}/${path}.git` };
}

/** Returns random data, which cannot be compressed. */
const QUICK = ["-c", "core.compression=0", "-c", "core.bigFileThreshold=1m"];

/**
 * Creates a repository from an input stream for `git fast-import`.
 * @param {string} folder
 * @param {Iterable<string | Buffer>} stream
 */
export async function imported(folder, stream) {
  await git(["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  await git(["--git-dir", folder, ...QUICK, "fast-import", "--quiet"], stream);
}

/** @param {string | Buffer} bytes */
const data = (bytes) => [`data ${Buffer.byteLength(bytes)}\n`, bytes, "\n"];
/** @param {number} at */
const commit = (at) => [
  `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + at * 60} +0000\n`,
  ...data(`Change ${at}`),
];

function* largeFiles() {
  yield* commit(0);
  for (let blob = 0; blob < BLOBS; blob += 1) {
    yield `M 100644 inline large-${blob}.bin\n`;
    yield* data(randomBytes(BLOB_MEGABYTES * MEGABYTE));
  }
}

function* manyCommits() {
  for (let at = 0; at < COMMITS; at += 1) {
    yield* commit(at);
    yield `M 100644 inline src/part-${at % 20}/file-${at % FILES}.txt\n`;
    const lines = Array.from({ length: 40 }, (_, line) => `line ${line} of ${at - (at % (line + 7))}\n`);
    yield* data(lines.join(""));
  }
}

/**
 * Runs Git without the configuration of the user and of the system.
 * @param {readonly string[]} args
 * @param {Iterable<string | Buffer>} [input]
 * @returns {Promise<string>} the standard output.
 */
export async function git(args, input = []) {
  const child = spawn("git", args, {
    env: {
      NODE_ENV: process.env.NODE_ENV,
      PATH: process.env["PATH"],
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
    },
  });
  let [out, problem] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    problem += text;
  });
  const ended = once(child, "close");
  child.stdin.on("error", () => undefined);
  for (const part of input)
    if (!child.stdin.write(part)) await Promise.race([once(child.stdin, "drain"), ended]);
  child.stdin.end();
  const [status] = await ended;
  if (status !== 0) throw new StepFailed(`git ${args[0]} ended with ${status}: ${problem}`);
  return out;
}

/** @param {() => Promise<unknown>} run */
async function timed(run) {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/**
 * Samples the memory of a process until `stop` is called. Only Linux reports the memory of a process; on
 * other systems the result is NaN.
 * @param {number | undefined} pid
 */
export function watched(pid) {
  /** @type {number[]} */
  const readings = [];
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await pause(50)) readings.push(await megabytesOf(pid));
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return { before: readings[0] ?? Number.NaN, peak: Math.max(...readings) };
    },
  };
}

/** @param {number | undefined} pid */
async function megabytesOf(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
