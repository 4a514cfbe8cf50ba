import { availableParallelism, cpus } from "node:os";
import { SERVERS } from "./rows.mjs";

/**
 * @import { Round } from "./measure.mjs"
 * @typedef {Awaited<ReturnType<typeof import("./measure.mjs").measure>>} Measured
 * @typedef {readonly [readonly Round[], readonly Round[]]} Rounds
 */

/** @param {readonly number[]} values */
export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [below = Number.NaN, above = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
};

/**
 * @param {readonly Round[]} samples
 * @param {keyof Round} name
 */
const medianOf = (samples, name) => median(samples.map((round) => round[name]));

/** @typedef {Measured["results"][number]["row"]} Row */

/**
 * Returns the name of the value that a benchmark row compares: requests per second, or processor time.
 * @param {Row} row
 */
const comparedBy = ({ processorTime }) =>
  processorTime === undefined ? "requestsPerSecond" : "processorMicroseconds";

/**
 * Returns the ratio or the difference of the values that were measured for the two calls of a benchmark row.
 * @param {Row} row
 * @param {number} first
 * @param {number} second
 */
const compared = ({ processorTime }, first, second) =>
  processorTime === "difference" ? first - second : first / second;

/**
 * Returns the ratio or the difference of the medians of the two calls of a benchmark row.
 * @param {Row} row
 * @param {Rounds} samples
 */
const resultOf = (row, [first, second]) =>
  compared(row, medianOf(first, comparedBy(row)), medianOf(second, comparedBy(row)));

/**
 * Returns whether a result meets the target of its benchmark row. If the machine reports no processor time,
 * every target of the processor time counts as met.
 * @param {Row} row
 * @param {number} result
 */
const reaches = ({ target, processorTime }, result) =>
  processorTime === undefined ? result >= target : !(result > target);

/**
 * Returns the benchmark rows that missed their target.
 * @param {Pick<Measured, "results">} measured
 */
export const missed = ({ results }) =>
  results.filter(({ row, samples }) => !reaches(row, resultOf(row, samples)));

/**
 * Returns the measurement as Markdown: the table, and the conditions of the measurement.
 * @param {Measured} measured
 * @param {{ loadBefore: number, peerVersion: string, date: Date }} run
 */
export function report({ results, conditions }, { loadBefore, peerVersion, date }) {
  const { connections, samples, seconds } = conditions;
  const lines = results.flatMap(({ row, samples: of }) => [
    [row.name, nameOf(row.calls[0]), ...numbers(of[0]), resultText(row, of), targetText(row)],
    ["", nameOf(row.calls[1]), ...numbers(of[1]), "", ""],
  ]);
  const model = cpus()[0]?.model.trim() || "unknown processor";
  return `${table(lines)}

Medians of ${samples} rounds of ${seconds} s over ${connections} connections. Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores (${model}), load average ${loadBefore.toFixed(1)} before the run, oidc-provider ${peerVersion}, ${date.toISOString().slice(0, 10)}.
`;
}

/** @param {Row} row */
const targetText = ({ target, processorTime }) =>
  `${processorTime === undefined ? "≥" : "≤"} ${target}${processorTime === "difference" ? " µs" : ""}`;

/** @param {import("./rows.mjs").Call} call */
const nameOf = ({ server, label }) => `${SERVERS[server]}: \`${label}\``;

const HEADINGS = ["", "", "requests/s", "processor µs", "p50 ms", "p99 ms", "ratio (rounds)", "target"];
const WORDS = 2;

/**
 * Returns a Markdown table whose columns are padded to the same width: text is left-aligned, numbers are
 * right-aligned.
 * @param {readonly (readonly string[])[]} lines
 */
function table(lines) {
  const widths = HEADINGS.map((_, at) =>
    Math.max(...[HEADINGS, ...lines].map((cells) => cells[at]?.length ?? 0)),
  );
  const align = (/** @type {string} */ text, /** @type {number} */ at) =>
    at < WORDS ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  const rule = widths.map((width, at) => (at < WORDS ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [HEADINGS.map(align), rule, ...lines.map((cells) => cells.map(align))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** @param {readonly Round[]} samples */
const numbers = (samples) => [
  withSeparators(medianOf(samples, "requestsPerSecond")),
  medianOf(samples, "processorMicroseconds").toFixed(0),
  medianOf(samples, "p50").toFixed(1),
  medianOf(samples, "p99").toFixed(1),
];

/**
 * Returns the ratio or the difference of the medians, with the lowest and the highest value of any round.
 * @param {Row} row
 * @param {Rounds} samples
 */
function resultText(row, samples) {
  const name = comparedBy(row);
  const [first, second] = samples;
  const each = first.map((one, index) => compared(row, one[name], second[index]?.[name] ?? Number.NaN));
  const digits = row.processorTime === "difference" ? 1 : 2;
  const range = `${Math.min(...each).toFixed(digits)}–${Math.max(...each).toFixed(digits)}`;
  return `**${resultOf(row, samples).toFixed(digits)}** (${range})`;
}

/**
 * Returns the response times of the pages as Markdown.
 * @param {Awaited<ReturnType<typeof import("./pages.mjs").measurePages>>} pages
 */
export function reportPages(pages) {
  const lines = pages.map(({ page, median: middle, p95, processor, kilobytes, runtime, own }) => [
    `\`${page}\``,
    ...[middle, p95, processor].map((milliseconds) => milliseconds.toFixed(1)),
    kilobytes.toFixed(0),
    ...[runtime, own].map((size) => size.toFixed(1)),
  ]);
  const headings = [
    "page",
    "median ms",
    "p95 ms",
    "processor ms",
    "kB",
    "framework JavaScript kB",
    "page JavaScript kB",
  ];
  const rows = [headings, ["---", ...headings.slice(1).map(() => "---:")], ...lines];
  return `${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

/**
 * Returns the start times and the memory of the server as Markdown.
 * @param {import("./start.mjs").MeasuredStart} measured
 */
export function reportStart({ seconds, idleMegabytes, loadedMegabytes }) {
  const range = `${Math.min(...seconds).toFixed(2)}–${Math.max(...seconds).toFixed(2)}`;
  return `A start takes ${median(seconds).toFixed(2)} s until the first response (${range} s in ${seconds.length} starts). The server process uses ${idleMegabytes.toFixed(0)} MB before the first page, and at most ${loadedMegabytes.toFixed(0)} MB under load.\n`;
}

/**
 * Returns the response times of lists as Markdown: for each list, the caller and the query with the highest
 * median.
 * @param {readonly (readonly [string, readonly import("./lists.mjs").Measured[]])[]} databases
 */
export function reportLists(databases) {
  /**
   * @param {readonly import("./lists.mjs").Measured[]} measured
   * @param {string} path
   */
  const slowestOf = (measured, path) =>
    measured
      .filter((one) => one.path === path)
      .reduce((one, other) => (other.median > one.median ? other : one));
  const paths = [...new Set(databases.flatMap(([, measured]) => measured.map(({ path }) => path)))];
  /** @param {import("./lists.mjs").Measured} measured */
  const cells = ({ who, query, median: middle, slowest }) => [
    `${who}: \`${query}\``,
    middle.toFixed(1),
    slowest.toFixed(1),
  ];
  const lines = paths.map((path) => [
    `\`${path}\``,
    ...databases.flatMap(([, measured]) => cells(slowestOf(measured, path))),
  ]);
  const heading = [
    "list",
    ...databases.flatMap(([name]) => [`slowest request, ${name}`, "median ms", "slowest ms"]),
  ];
  const rule = ["---", ...databases.flatMap(() => ["---", "---:", "---:"])];
  return `${[heading, rule, ...lines].map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`;
}

/**
 * Returns the processor time of the endpoints as Markdown, slowest first.
 * @param {import("./endpoints.mjs").MeasuredEndpoints} measured
 */
export function reportEndpoints({ bare, endpoints }) {
  const least = median(bare);
  const lines = endpoints
    .map((endpoint) => ({ ...endpoint, middle: median(endpoint.microseconds) }))
    .toSorted((a, b) => b.middle - a.middle)
    .map(({ path, isList, microseconds, kilobytes, middle }) => [
      `\`${path}\``,
      isList ? "list" : "single",
      (middle / 1_000).toFixed(2),
      `${(Math.min(...microseconds) / 1_000).toFixed(2)}–${(Math.max(...microseconds) / 1_000).toFixed(2)}`,
      (middle / least).toFixed(1),
      kilobytes.toFixed(1),
    ]);
  const heading = ["endpoint", "", "processor ms (median)", "rounds", "× bare", "kB"];
  const rows = [heading, ["---", "---", "---:", "---:", "---:", "---:"], ...lines];
  return `${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

A bare \`node:http\` server that sends the response of \`/user\` uses ${(least / 1_000).toFixed(3)} ms for a request. The median of the ${endpoints.length} endpoints is ${(median(endpoints.map(({ microseconds }) => median(microseconds))) / 1_000).toFixed(2)} ms.
`;
}

/**
 * Returns the throughput of the endpoint for error events, and the effect of a hostile sender, as Markdown.
 * @param {Awaited<ReturnType<typeof import("./ingest.mjs").measureIngest>>} samples
 * @param {Awaited<ReturnType<typeof import("./ingest.mjs").measureHostile>>} hostile
 */
export function reportIngest(samples, hostile) {
  const lines = samples.map(({ keys, eventsPerSecond, p50, p99, answered, counted, kilobytes, stolen }) => [
    `${keys} ${keys === 1 ? "key" : "keys"}, events of ${kilobytes.toFixed(1)} kB`,
    withSeparators(eventsPerSecond),
    p50.toFixed(1),
    p99.toFixed(1),
    withSeparators(answered),
    withSeparators(counted),
    `${(stolen * 100).toFixed(1)} %`,
  ]);
  const rows = [
    ["Events from SDKs", "events/s", "p50 ms", "p99 ms", "answered 200", "counted", "steal time"],
    ["---", "---:", "---:", "---:", "---:", "---:", "---:"],
    ...lines,
  ];
  const { before, peak, after, p99, slowest, statuses } = hostile;
  return `${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

Hostile input (200 bodies each in gzip and br that inflate to 200 MB, deeply nested, endless and mislabeled JSON, 10,500 different tracked errors) got responses with the status ${statuses.join(", ")}. The server used ${before.toFixed(0)} MB before the attack, ${peak.toFixed(0)} MB at most, and ${after.toFixed(0)} MB after the attack. During the attack, 99 % of the events of another project took at most ${p99.toFixed(0)} ms, and the slowest took ${slowest.toFixed(0)} ms.
`;
}

/**
 * Returns the times and memory of pushes and clones as Markdown.
 * @param {Awaited<ReturnType<typeof import("./git.mjs").measureGit>>} measured
 */
export function reportGit({ push, clones }) {
  const seconds = (/** @type {number} */ milliseconds) => (milliseconds / 1000).toFixed(2);
  const range = (/** @type {readonly number[]} */ all) =>
    `${seconds(Math.min(...all))}–${seconds(Math.max(...all))}`;
  const row = (/** @type {string} */ name, /** @type {readonly number[]} */ all) => [
    name,
    seconds(median(all)),
    range(all),
  ];
  const rows = [
    [`Clone of ${withSeparators(clones.commits)} commits`, "s (median)", "s (rounds)"],
    ["---", "---:", "---:"],
    row("Gatehouse", clones.gatehouse),
    row("`git http-backend` with a Node server", clones.backend),
  ];
  return `${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}

A clone from Gatehouse takes ${cloneRatio(clones).toFixed(2)} times as long as a clone from \`git http-backend\`, and uses ${seconds(median(clones.processorMilliseconds))} s of processor time of the server and its Git processes. One core therefore serves at most ${(1_000 / median(clones.processorMilliseconds)).toFixed(1)} clones a second. A push of ${push.megabytes} MB took ${push.seconds.toFixed(1)} s. The server used ${push.before.toFixed(0)} MB before the push, and at most ${push.peak.toFixed(0)} MB during the push.
`;
}

/** @param {{ gatehouse: readonly number[], backend: readonly number[] }} clones */
export const cloneRatio = ({ gatehouse, backend }) => median(gatehouse) / median(backend);

/** @param {number} number */
const withSeparators = (number) => Math.round(number).toLocaleString("en");
