import { readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { step } from "../scripts/prepare-step.mjs";
import { measureCapacity } from "./capacity.mjs";
import { reportCapacity } from "./capacity-report.mjs";
import { endpointMillisecondsMax, measureEndpoints } from "./endpoints.mjs";
import { CLONE_RATIO_MAX, measureGit, PUSH_MEGABYTES_MAX } from "./git.mjs";
import {
  EVENT_P99_MS_MAX,
  EVENTS_PER_SECOND_MIN,
  HOSTILE_MEGABYTES_MAX,
  measureHostile,
  measureIngest,
  NEIGHBOR_P99_MS_MAX,
} from "./ingest.mjs";
import { LIST_MEDIAN_MS_MAX, measureLists } from "./lists.mjs";
import { measure } from "./measure.mjs";
import { measurePages, PAGE_TARGETS } from "./pages.mjs";
import {
  cloneRatio,
  median,
  missed,
  report,
  reportEndpoints,
  reportGit,
  reportIngest,
  reportLists,
  reportPages,
  reportStart,
} from "./report.mjs";
import { ROWS, SERVERS } from "./rows.mjs";
import { START } from "./servers.mjs";
import { measureStart, START_TARGETS } from "./start.mjs";

/**
 * @import { ServerName, Server } from "./rows.mjs"
 * @import { Later } from "../scripts/temporarily.mjs"
 * @typedef {{ text: string, problems: readonly string[] }} Report the tables of a part as Markdown, and a sentence for
 * each missed target.
 * @typedef {(folder: string, later: Later, options: { size: "small" | "full" }) => Promise<Report>} Part
 */

const printLine = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/** @type {(part: import("./rows.mjs").RowPart) => Part} */
const rowsOf = (part) => (folder, later) =>
  measureRows(
    ROWS.filter((row) => row.part === part && row.byHand === undefined),
    folder,
    later,
  );

/**
 * Measures rows of the benchmark on the servers that these rows compare.
 * @param {typeof ROWS} rows
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<Report>}
 */
export async function measureRows(rows, folder, later) {
  const [loadBefore = 0] = loadavg();
  /** @type {Partial<Record<ServerName, Server>>} */
  const servers = {};
  for (const name of new Set(rows.flatMap(({ calls }) => calls.map(({ server }) => server))))
    servers[name] = await step(`Starting ${SERVERS[name]}`, () => START[name](folder, later, servers));
  const measured = await measure(rows, servers, { later, printLine });
  /** @type {{ version: string }} */
  const { version: peerVersion } = JSON.parse(
    readFileSync("node_modules/oidc-provider/package.json", "utf8"),
  );
  const problems = missed(measured).map(({ row }) => `"${row.name}" misses its target of ${row.target}.`);
  return { text: report(measured, { loadBefore, peerVersion, date: new Date() }), problems };
}

/** @type {Part} */
async function benchPages(folder, later) {
  const pages = await step("Measuring pages", () => measurePages(folder, later));
  return { text: reportPages(pages), problems: problemsOfPages(pages) };
}

/** @param {Awaited<ReturnType<typeof measurePages>>} pages */
function problemsOfPages(pages) {
  return pages.flatMap(({ page, median, own, isStatic }) => {
    const target = isStatic ? PAGE_TARGETS.static : PAGE_TARGETS.other;
    return [
      ...(median > target.median ? [`${page} takes longer than ${target.median} ms.`] : []),
      ...(own > target.script
        ? [`${page} loads more than ${target.script} kB of JavaScript in addition to the runtime.`]
        : []),
    ];
  });
}

/** @type {Part} */
async function benchStart(folder, later) {
  const measured = await step("Measuring starts", () => measureStart(folder, later));
  const seconds = measured.seconds.toSorted((a, b) => a - b)[measured.seconds.length >> 1] ?? Number.NaN;
  const { seconds: most, idleMegabytes, loadedMegabytes } = START_TARGETS;
  const problems = [
    ...(seconds > most ? [`The server takes longer than ${most} s to start.`] : []),
    ...(measured.idleMegabytes > idleMegabytes
      ? [`The server uses more than ${idleMegabytes} MB before the first page.`]
      : []),
    ...(measured.loadedMegabytes > loadedMegabytes
      ? [`The server uses more than ${loadedMegabytes} MB under load.`]
      : []),
  ];
  return { text: reportStart(measured), problems };
}

/** @type {Part} */
async function benchLists(folder, later) {
  /** @type {[string, readonly import("../bench/lists.mjs").Measured[]][]} */
  const databases = [];
  for (const [kind, name] of /** @type {const} */ ([
    ["sqlite", "SQLite"],
    ["postgresql", "PostgreSQL"],
  ])) {
    const measured = await step(`Measuring lists, ${name}`, () => measureLists(folder, later, kind));
    for (const { path, who, query, median, slowest } of measured)
      printLine(
        `${name} ${path}?${query}, ${who}: ${median.toFixed(1)} ms, at most ${slowest.toFixed(1)} ms`,
      );
    databases.push([name, measured]);
  }
  const all = databases.flatMap(([name, measured]) => measured.map((one) => ({ name, ...one })));
  const problems = all
    .filter(({ median }) => median > LIST_MEDIAN_MS_MAX)
    .map(
      ({ name, path, query, who }) =>
        `${path}?${query} takes longer than ${LIST_MEDIAN_MS_MAX} ms for ${who} on ${name}.`,
    );
  return { text: reportLists(databases), problems };
}

/** @type {Part} */
async function benchEndpoints(folder, later, { size }) {
  const measured = await step("Measuring endpoints", () => measureEndpoints(folder, later, size));
  const problems = measured.endpoints
    .filter((endpoint) => median(endpoint.microseconds) > 1_000 * endpointMillisecondsMax(endpoint))
    .map(
      (endpoint) =>
        `A request to ${endpoint.path} uses more than ${endpointMillisecondsMax(endpoint)} ms of processor time.`,
    );
  return { text: reportEndpoints(measured), problems };
}

/** @type {Part} */
async function benchGit(folder, later) {
  const measured = await step("Measuring pushes and clones", () => measureGit(folder, later));
  const { push, clones } = measured;
  const problems = [
    ...(push.peak - push.before > PUSH_MEGABYTES_MAX
      ? [`A push increases the memory of the server by more than ${PUSH_MEGABYTES_MAX} MB.`]
      : []),
    ...(cloneRatio(clones) > CLONE_RATIO_MAX
      ? [`A clone takes more than ${CLONE_RATIO_MAX} times as long as a clone from Git's own server program.`]
      : []),
  ];
  return { text: reportGit(measured), problems };
}

/** @type {Part} */
async function benchCapacity(folder, later) {
  const measured = await step("Measuring capacity", () => measureCapacity(folder, later));
  return { text: reportCapacity(measured), problems: [] };
}

/** @type {Part} */
async function benchEvents(folder, later) {
  const samples = await step("Measuring events", () => measureIngest(folder, later));
  const hostile = await step("Measuring hostile input", () => measureHostile(folder, later));
  const problems = [
    ...samples
      .filter(({ eventsPerSecond }) => eventsPerSecond < EVENTS_PER_SECOND_MIN)
      .map(
        ({ keys }) =>
          `With ${keys} keys, the server accepts fewer than ${EVENTS_PER_SECOND_MIN} events per second.`,
      ),
    ...samples
      .filter(({ p99 }) => p99 > EVENT_P99_MS_MAX)
      .map(({ keys }) => `With ${keys} keys, 1 % of the events take longer than ${EVENT_P99_MS_MAX} ms.`),
    ...(hostile.after - hostile.before > HOSTILE_MEGABYTES_MAX
      ? [`Hostile input increases the memory of the server by more than ${HOSTILE_MEGABYTES_MAX} MB.`]
      : []),
    ...(hostile.p99 > NEIGHBOR_P99_MS_MAX
      ? [
          `During hostile input, 1 % of the events of another project take longer than ${NEIGHBOR_P99_MS_MAX} ms.`,
        ]
      : []),
  ];
  return { text: reportIngest(samples, hostile), problems };
}

/**
 * Returns the description of the machine and the date of a measurement, for the report.
 * @param {number} loadBefore
 */
const conditions = (loadBefore) =>
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() || "unknown processor"}), load average ${loadBefore.toFixed(1)} before the measurement, ${new Date().toISOString().slice(0, 10)}.`;

/** Adds the conditions of the measurement to the report of a part. @type {(part: Part) => Part} */
const underConditions = (part) => async (folder, later, options) => {
  const [loadBefore = 0] = loadavg();
  const { text, problems } = await part(folder, later, options);
  return { text: `${text}\n${conditions(loadBefore)}\n`, problems };
};

/** The parts of the benchmark by their names, in the order in which they run. */
export const PARTS = new Map(
  /** @type {[string, Part][]} */ ([
    ["peer", rowsOf("peer")],
    ["bare", rowsOf("bare")],
    ["workers", rowsOf("workers")],
    ["tokens", rowsOf("tokens")],
    ["pages", underConditions(benchPages)],
    ["start", underConditions(benchStart)],
    ["lists", underConditions(benchLists)],
    ["endpoints", underConditions(benchEndpoints)],
    ["ingest", underConditions(benchEvents)],
    ["git", underConditions(benchGit)],
    ["capacity", underConditions(benchCapacity)],
  ]),
);
