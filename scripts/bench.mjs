import "./prepare-node.mjs";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { endpointMillisecondsMax, measureEndpoints } from "../bench/endpoints.mjs";
import { startFilled, startGatehouse, startOnPostgresql } from "../bench/gatehouse.mjs";
import { CLONE_RATIO_MAX, measureGit, PUSH_MEGABYTES_MAX } from "../bench/git.mjs";
import {
  EVENT_P99_MS_MAX,
  EVENTS_PER_SECOND_MIN,
  HOSTILE_MEGABYTES_MAX,
  measureHostile,
  measureIngest,
  NEIGHBOUR_P99_MS_MAX,
} from "../bench/ingest.mjs";
import { LIST_MEDIAN_MS_MAX, measureLists } from "../bench/lists.mjs";
import { measure } from "../bench/measure.mjs";
import { measurePages, PAGE_TARGETS } from "../bench/pages.mjs";
import { startPeer } from "../bench/peer.mjs";
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
  writeBetweenMarkers,
} from "../bench/report.mjs";
import { ROWS, SERVERS } from "../bench/rows.mjs";
import { measureStart, START_TARGETS } from "../bench/start.mjs";
import { startReplay } from "../bench/start-replay.mjs";
import { prepare } from "./prepare.mjs";
import { ROOT, StepFailed, step } from "./prepare-step.mjs";
import { temporarily } from "./temporarily.mjs";

const DOCUMENT = "docs/benchmarks.md";
/** The names of the measurements that are not rows: pages, starts, lists, endpoints, events and Git. */
const PAGES = "pages";
const START_UP = "start";
const INGEST = "ingest";
const GIT = "git";
const LISTS = "lists";
const ENDPOINTS = "endpoints";
/**
 * The options. `--write` writes the tables into the document; `--small` measures the endpoints with little
 * data, in about a minute.
 */
const WRITE = "--write";
const SMALL = "--small";
const args = process.argv.slice(2);
const named = args.filter((argument) => ![WRITE, SMALL].includes(argument)).join(" ");

/**
 * @import { ServerName, Server } from "../bench/rows.mjs"
 * @import { Later } from "./temporarily.mjs"
 */

const TWO_WORKERS = { WEB_CONCURRENCY: "2" };

/** @type {Readonly<Record<ServerName, (folder: string, later: Later, others: Partial<Record<ServerName, Server>>) => Promise<Server>>>} */
const START = {
  bare: async (folder, later, { gatehouse }) => {
    if (gatehouse === undefined)
      throw new StepFailed("A row compares Gatehouse with node:http, in this order.");
    const { facts, sources } = gatehouse;
    const { pid, baseUrl } = await startReplay(folder, later, facts.baseUrl);
    return { pid, facts: { ...facts, baseUrl }, sources };
  },
  gatehouse: (folder, later) => startGatehouse(folder, later, { name: "gatehouse" }),
  twoWorkers: (folder, later) => startGatehouse(folder, later, { name: "two-workers", env: TWO_WORKERS }),
  postgresql: (folder, later) => startOnPostgresql(folder, later, { name: "postgresql" }),
  postgresqlTwoWorkers: (folder, later) =>
    startOnPostgresql(folder, later, { name: "postgresql-two-workers", env: TWO_WORKERS }),
  peer: startPeer,
  fewTokens: (folder, later) => startFilled(folder, later, 10),
  manyTokens: (folder, later) => startFilled(folder, later, 1_000_000),
};

process.chdir(ROOT);
try {
  const rows = chosenRows();
  await prepare({ pages: true, packages: "development" });
  const held = await temporarily({ interruptedStatus: 130 }, (folder, later) => bench(rows, folder, later));
  process.exitCode = held ? 0 : 1;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** All rows, or the row that the arguments name; no rows if the arguments name another measurement. */
function chosenRows() {
  const strange = args.find((argument) => argument.startsWith("-") && ![WRITE, SMALL].includes(argument));
  if (strange !== undefined)
    throw new StepFailed(`Unknown option ${strange}. The options are ${WRITE} and ${SMALL}.`);
  if (args.includes(SMALL) && named !== ENDPOINTS)
    throw new StepFailed(`${SMALL} is only possible for ${ENDPOINTS}.`);
  if (named === "") return ROWS;
  if (args.includes(WRITE)) throw new StepFailed(`${WRITE} is only possible for a run of all rows.`);
  if ([PAGES, START_UP, INGEST, GIT, LISTS, ENDPOINTS].includes(named)) return [];
  const rows = ROWS.filter((row) => row.name.toLowerCase() === named.toLowerCase());
  if (rows.length > 0) return rows;
  throw new StepFailed(`Unknown row "${named}". Rows: ${ROWS.map((row) => row.name).join("; ")}.`);
}

/**
 * @param {typeof ROWS} rows
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<boolean>} true if every target was reached.
 */
async function bench(rows, folder, later) {
  const [loadBefore = 0] = loadavg();
  /** @type {Partial<Record<ServerName, Server>>} */
  const servers = {};
  for (const name of new Set(rows.flatMap(({ calls }) => calls.map(({ server }) => server))))
    servers[name] = await step(`Starting ${SERVERS[name]}`, () => START[name](folder, later, servers));
  const printLine = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);
  const measured = await measure(rows, servers, { later, printLine });
  /** @type {{ version: string }} */
  const { version: peerVersion } = JSON.parse(
    readFileSync("node_modules/oidc-provider/package.json", "utf8"),
  );
  const compared = rows.length === 0 ? "" : report(measured, { loadBefore, peerVersion, date: new Date() });
  const wants = (/** @type {string} */ measurement) => named === "" || named === measurement;
  const pages = wants(PAGES) ? await step("Measuring pages", () => measurePages(folder, later)) : [];
  const start = wants(START_UP) ? await benchStart(folder, later) : { text: "", problems: [] };
  const ingest = wants(INGEST) ? await benchEvents(folder, later) : { text: "", problems: [] };
  const git = wants(GIT) ? await benchGit(folder, later) : { text: "", problems: [] };
  const lists = wants(LISTS) ? await benchLists(folder, later, printLine) : { text: "", problems: [] };
  const endpoints = wants(ENDPOINTS) ? await benchEndpoints(folder, later) : { text: "", problems: [] };
  const shown = pages.length === 0 ? "" : reportPages(pages);
  const text = [compared, shown, start.text, lists.text, endpoints.text, ingest.text, git.text]
    .filter(Boolean)
    .join("\n");
  console.log(`\n${text}`);
  for (const { row } of missed(measured)) console.log(`"${row.name}" misses its target of ${row.target}.`);
  const problems = [
    ...problemsOfPages(pages),
    ...start.problems,
    ...lists.problems,
    ...endpoints.problems,
    ...ingest.problems,
    ...git.problems,
  ];
  for (const problem of problems) console.log(problem);
  if (args.includes(WRITE)) writeBetweenMarkers(DOCUMENT, text);
  return missed(measured).length === 0 && problems.length === 0;
}

/** @param {Awaited<ReturnType<typeof measurePages>>} pages */
function problemsOfPages(pages) {
  return pages.flatMap(({ page, median, ownScript, isStatic }) => {
    const target = isStatic ? PAGE_TARGETS.static : PAGE_TARGETS.other;
    return [
      ...(median > target.median ? [`${page} takes longer than ${target.median} ms.`] : []),
      ...(ownScript > target.ownScript
        ? [`${page} loads more than ${target.ownScript} kB of JavaScript in addition to the runtime.`]
        : []),
    ];
  });
}

/**
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<{ text: string, problems: readonly string[] }>}
 */
async function benchStart(folder, later) {
  const measured = await step("Measuring starts", () => measureStart(folder, later));
  const seconds = measured.seconds.toSorted((a, b) => a - b)[measured.seconds.length >> 1] ?? Number.NaN;
  const { seconds: most, idleMegabytes, loadedMegabytes } = START_TARGETS;
  const problems = [
    ...(seconds > most ? [`A start takes longer than ${most} s.`] : []),
    ...(measured.idleMegabytes > idleMegabytes
      ? [`The server uses more than ${idleMegabytes} MB before the first page.`]
      : []),
    ...(measured.loadedMegabytes > loadedMegabytes
      ? [`The server uses more than ${loadedMegabytes} MB under load.`]
      : []),
  ];
  return { text: reportStart(measured), problems };
}

/**
 * @param {string} folder
 * @param {Later} later
 * @param {(line: string) => void} printLine
 * @returns {Promise<{ text: string, problems: readonly string[] }>}
 */
async function benchLists(folder, later, printLine) {
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

/**
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<{ text: string, problems: readonly string[] }>}
 */
async function benchEndpoints(folder, later) {
  const size = args.includes(SMALL) ? "small" : "full";
  const measured = await step("Measuring endpoints", () => measureEndpoints(folder, later, size));
  const problems = measured.endpoints
    .filter((endpoint) => median(endpoint.microseconds) > 1_000 * endpointMillisecondsMax(endpoint))
    .map(
      (endpoint) =>
        `A request to ${endpoint.path} uses more than ${endpointMillisecondsMax(endpoint)} ms of processor time.`,
    );
  return { text: reportEndpoints(measured), problems };
}

/**
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<{ text: string, problems: readonly string[] }>}
 */
async function benchGit(folder, later) {
  const measured = await step("Measuring pushes and clones", () => measureGit(folder, later));
  const { push, clones } = measured;
  const problems = [
    ...(push.peak - push.before > PUSH_MEGABYTES_MAX
      ? [`A push adds more than ${PUSH_MEGABYTES_MAX} MB to the memory of the server.`]
      : []),
    ...(cloneRatio(clones) > CLONE_RATIO_MAX
      ? [`A clone takes more than ${CLONE_RATIO_MAX} times as long as with Git's own program.`]
      : []),
  ];
  return { text: reportGit(measured), problems };
}

/**
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<{ text: string, problems: readonly string[] }>}
 */
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
    ...(hostile.p99 > NEIGHBOUR_P99_MS_MAX
      ? [
          `During hostile input, 1 % of the events of another project take longer than ${NEIGHBOUR_P99_MS_MAX} ms.`,
        ]
      : []),
  ];
  return { text: reportIngest(samples, hostile), problems };
}
