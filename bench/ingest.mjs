import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { startInstance } from "../scripts/instance.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { freePort, runProgram } from "../scripts/program.mjs";
import { several } from "./client.mjs";
import { CONNECTIONS } from "./rows.mjs";

/**
 * @import { Later } from "../scripts/temporarily.mjs"
 * @typedef {Awaited<ReturnType<typeof start>>} Place
 * @typedef {{ id: number, key: string, count: () => Promise<number> }} Project
 * @typedef {{
 *   eventsPerSecond: number,
 *   p50: number,
 *   p99: number,
 *   answered: number,
 *   failures: number,
 *   kilobytes: number,
 * }} Round times in milliseconds; `kilobytes` is the size of an event.
 */

/** The targets for events: the number per second, and the 99th percentile of the response time. */
export const EVENTS_PER_SECOND_MIN = 5_000;
export const EVENT_P99_MS_MAX = 30;

/**
 * The targets during hostile input: the additional memory of the server, and the 99th percentile of the
 * response time for events of another project.
 */
export const HOSTILE_MEGABYTES_MAX = 300;
export const NEIGHBOR_P99_MS_MAX = 200;

/**
 * The duration of the warm-up, in which V8 optimizes the code of the server. The benchmark measures the event
 * rate after the warm-up.
 */
const WARM_UP_SECONDS = 12;
const SECONDS = 10;
const KEYS = [1, 8];
const MEGABYTE = 1_048_576;

/**
 * Measures how many events per second a separate instance accepts from SDKs, with one client key and with
 * several client keys.
 * @param {string} folder
 * @param {Later} later
 * @throws StepFailed if an event was refused, or if the counts differ from the responses.
 */
export async function measureIngest(folder, later) {
  const place = await start(folder, later, "ingest");
  const samples = [];
  for (const keys of KEYS) {
    /** @type {Project[]} */
    const projects = [];
    while (projects.length < keys) projects.push(await collectingProject(place));
    /**
     * @param {number} seconds
     * @returns {Promise<Round>}
     */
    const load = async (seconds) => {
      const input = JSON.stringify({ baseUrl: place.baseUrl, projects, seconds });
      return JSON.parse(await runProgram(["bench/ingest-load.mjs"], { input, later }));
    };
    const warmUp = await load(WARM_UP_SECONDS);
    const stolenBefore = stolenSeconds();
    const round = await load(SECONDS);
    const stolen = (stolenSeconds() - stolenBefore) / (SECONDS * availableParallelism());
    if (warmUp.failures + round.failures > 0)
      throw new StepFailed(`${warmUp.failures + round.failures} events were refused.`);
    const answered = warmUp.answered + round.answered;
    const counted = (await Promise.all(projects.map(({ count }) => count()))).reduce(
      (sum, one) => sum + one,
      0,
    );
    // The end of a round interrupts the requests that are in progress. The server may have counted the events
    // of the interrupted requests without having sent a response.
    if (counted < answered || counted > answered + 2 * CONNECTIONS)
      throw new StepFailed(`${answered} events were acknowledged, but ${counted} were counted.`);
    samples.push({ ...round, keys, answered, counted, stolen });
  }
  return samples;
}

/**
 * Measures the effect of a hostile sender: bodies that inflate to gigabytes, nested and malformed JSON, and a
 * flood of different tracked errors.
 * @param {string} folder
 * @param {Later} later
 * @throws StepFailed if a response is a server error, or if the server accepts input that it must refuse.
 */
export async function measureHostile(folder, later) {
  const place = await start(folder, later, "hostile");
  const victim = await collectingProject(place);
  const neighbor = await collectingProject(place);
  await sendTo(place, neighbor, "{}\n");
  const before = megabytes(place.pid, "VmRSS");
  const watching = new Worker(new URL("./neighbor.mjs", import.meta.url), {
    workerData: { url: collectorOf(place, neighbor) },
  });
  later(() => watching.terminate());
  const timings = once(watching, "message");
  // If the promise `timings` is rejected, the statement `await timings` below throws the error.
  timings.catch(() => undefined);
  /** @type {Set<number>} */
  const statuses = new Set();
  for (const attack of attacks())
    for (const status of await several(attack.times, () =>
      sendTo(place, victim, attack.body, attack.encoding),
    ))
      statuses.add(status);
  for (let wave = 0; wave < 105; wave += 1) statuses.add(await sendTo(place, victim, flood(wave)));
  watching.postMessage("stop");
  const [milliseconds] = /** @type {[number[]]} */ (await timings);
  const slowest = milliseconds.at(-1);
  const p99 = milliseconds[Math.floor(milliseconds.length * 0.99)];
  if (slowest === undefined || p99 === undefined)
    throw new StepFailed("No event was sent to the project that is not under attack.");
  const failed = [...statuses].filter((status) => status >= 500);
  if (failed.length > 0)
    throw new StepFailed(`The server responded to hostile input with the status ${failed.join(", ")}.`);
  return {
    before,
    after: megabytes(place.pid, "VmRSS"),
    peak: megabytes(place.pid, "VmHWM"),
    slowest,
    p99,
    statuses: [...statuses].sort(),
  };
}

/** @returns {readonly { times: number, body: BodyInit, encoding?: string }[]} */
const attacks = () => {
  const zeros = new Uint8Array(200 * MEGABYTE);
  const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
  return [
    { times: 200, body: gzipSync(zeros), encoding: "gzip" },
    { times: 200, body: brotliCompressSync(zeros, fast), encoding: "br" },
    { times: 50, body: `{}\n{"type":"event"}\n${"[".repeat(MEGABYTE - 100)}` },
    { times: 50, body: `{}\n{"type":"event"}\n{"a":${"[".repeat(400_000)}${"]".repeat(400_000)}}` },
    { times: 50, body: `{}${"\n{}".repeat(300_000)}` },
    { times: 50, body: `{}\n{"type":"event","length":4000000000}\n{}` },
  ];
};

/**
 * Returns an envelope with a hundred new tracked errors.
 * @param {number} wave
 */
const flood = (wave) =>
  `{}\n${Array.from({ length: 100 }, (_, at) => `{"type":"event"}\n{"message":"x","fingerprint":["${wave} ${at}"]}\n`).join("")}`;

/**
 * @param {string} folder
 * @param {Later} later
 * @param {string} name
 */
async function start(folder, later, name) {
  const place = join(folder, name);
  await mkdir(place);
  const { baseUrl, command, program } = await startInstance({ port: await freePort(), folder: place, later });
  // The quotas of client keys are removed, because the benchmark measures the maximum rate of the server.
  for (const limit of ["error_events_per_minute", "new_errors_per_hour", "error_bytes_per_project"])
    await command("setting", "set", limit, "0");
  const options = ["--user=root", "--scopes=api", "--name=benchmark"];
  const created = await command("token", "create", ...options);
  const { token } = /** @type {{ token: string }} */ (created);
  return { baseUrl, command, token, pid: program.pid };
}

let projects = 0;

/**
 * @param {Place} place
 * @returns {Promise<Project>}
 */
async function collectingProject({ baseUrl, command, token }) {
  projects += 1;
  const created = await command("project", "create", `--path=bench/p${projects}`, "--owner=root");
  const { id } = /** @type {{ id: number }} */ (created);
  /**
   * @param {"GET" | "PUT"} method
   * @param {string} what
   * @returns {Promise<unknown>}
   */
  const request = async (method, what) => {
    const url = `${baseUrl}/api/v4/projects/${id}/error_tracking/${what}`;
    const response = await fetch(url, { method, headers: { "private-token": token } });
    if (response.status !== 200) throw new StepFailed(`${url} returned ${response.status}.`);
    return response.json();
  };
  await request("PUT", "settings?active=true&integrated=true");
  const [{ public_key: key }] = /** @type {[{ public_key: string }]} */ (await request("GET", "client_keys"));
  /** Returns the number of recorded events of the project. */
  const count = async () => {
    const errors = await request("GET", "errors?status=all&per_page=100");
    return /** @type {{ count: number }[]} */ (errors).reduce((sum, error) => sum + error.count, 0);
  };
  return { id, key, count };
}

/**
 * @param {Place} place
 * @param {Project} project
 */
const collectorOf = ({ baseUrl }, { id, key }) =>
  `${baseUrl}/api/v4/error_tracking/collector/api/${id}/envelope/?sentry_key=${key}`;

/**
 * @param {Place} place
 * @param {Project} project
 * @param {BodyInit} body
 * @param {string} [encoding]
 */
async function sendTo(place, project, body, encoding) {
  /** @type {Record<string, string>} */
  const headers = encoding === undefined ? {} : { "content-encoding": encoding };
  const response = await fetch(collectorOf(place, project), { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Returns the steal time of all cores since the start of a virtual machine, in seconds; NaN if the system is
 * not Linux.
 */
function stolenSeconds() {
  try {
    return Number(readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.trim().split(/\s+/)[8]) / 100;
  } catch {
    return Number.NaN;
  }
}

/**
 * Returns a memory value of a process in MB. Only Linux reports the memory of a process; on other systems the
 * result is NaN.
 * @param {number | undefined} pid
 * @param {string} name
 */
function megabytes(pid, name) {
  try {
    const [, kilobytes] =
      new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
