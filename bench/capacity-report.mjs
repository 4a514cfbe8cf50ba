import { ASSUMPTIONS, limitsOf, loadOf, REQUESTS_PER_ACTIVE_USER, workerShares } from "./capacity-model.mjs";

/**
 * @import { Costs, Disk, Kind } from "./capacity-model.mjs"
 */

const USERS = [1e6, 1e7, 1e8];
const KINDS = /** @type {readonly Kind[]} */ (Object.keys(REQUESTS_PER_ACTIVE_USER));

/** Returns a number with three significant digits and a suffix, such as `12.3 M`. @param {number} number */
const short = (number) => {
  const [divisor, suffix] =
    number >= 1e9 ? [1e9, " G"] : number >= 1e6 ? [1e6, " M"] : number >= 1e4 ? [1e3, " k"] : [1, ""];
  const value = number / divisor;
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)}${suffix}`;
};

/** @param {readonly (readonly string[])[]} rows the first row contains the headings. */
const table = (rows) => {
  const [heading = [], ...lines] = rows;
  const rule = ["---", ...heading.slice(1).map(() => "---:")];
  return [heading, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
};

/**
 * Returns, as Markdown, the measured cost of each kind of request, the machines that are required for three
 * numbers of users, and the limits of the resources.
 * @param {{ costs: Costs, disk: Disk }} measured
 */
export function reportCapacity({ costs, disk }) {
  const loads = USERS.map((users) => loadOf(costs, users));
  const limits = limitsOf(costs, disk);
  const [largest, second] = workerShares(costs);
  const percent = (/** @type {number} */ share) => `${(share * 100).toFixed(0)} %`;
  const costRows = KINDS.map((kind) => {
    const { workerMicroseconds, databaseMicroseconds, transactions, rows, walBytes } = costs[kind];
    return [
      kind,
      String(REQUESTS_PER_ACTIVE_USER[kind]),
      ...[workerMicroseconds, databaseMicroseconds].map((time) => (time / 1_000).toFixed(2)),
      ...[transactions, rows].map((count) => Math.max(0, count).toFixed(2)),
      (Math.max(0, walBytes) / 1_000).toFixed(2),
    ];
  });
  const { activeShare, peakFactor, utilization, machineCores, rowDays } = ASSUMPTIONS;
  return `${table([
    [
      "request",
      "requests per active user and day",
      "worker ms",
      "PostgreSQL ms",
      "transactions",
      "new rows",
      "log kB",
    ],
    ...costRows,
  ])}

${table([
  ["users", ...loads.map(({ users }) => short(users))],
  ["requests/s in the busiest hour", ...loads.map((load) => short(load.requestsPerSecond))],
  ["processor cores of workers in use", ...loads.map((load) => short(load.workerCores))],
  [`**machines with ${machineCores} cores**`, ...loads.map(({ machines }) => `**${machines}**`)],
  ["processor cores of PostgreSQL in use", ...loads.map((load) => short(load.databaseCores))],
  ["transactions/s that write", ...loads.map((load) => short(load.transactionsPerSecond))],
  ["write-ahead log MB/s", ...loads.map((load) => short(load.walMegabytesPerSecond))],
  ["new rows a day", ...loads.map((load) => short(load.rowsPerDay))],
  [`rows after ${rowDays} days`, ...loads.map((load) => short(load.storedRows))],
  ["connections to PostgreSQL", ...loads.map(({ connections }) => short(connections))],
  ["repositories TB", ...loads.map((load) => short(load.repositoryTerabytes))],
])}

${table([["limit that more worker machines do not remove", "users"], ...limits.map(({ name, users }) => [name, short(users)])])}

The first bottleneck is: **${limits[0]?.name}**. The largest parts of the processor time of the workers are ${largest?.kind} (${percent(largest?.share ?? 0)}) and ${second?.kind} (${percent(second?.share ?? 0)}). The disk synchronizes ${short(disk.syncsPerSecond)} writes of 8 kB a second.

The calculation has these assumptions:

- ${percent(activeShare)} of the users are active on a day.
- The busiest hour has ${peakFactor} times the requests of an average hour.
- At most ${percent(utilization)} of the processor time is used.
- The database server has ${ASSUMPTIONS.databaseCores} cores, and allows ${ASSUMPTIONS.databaseConnections} connections.
- The database server commits ${ASSUMPTIONS.transactionsPerSync} transactions with each disk write.
- A row remains in the database for ${rowDays} days.
- ${percent(ASSUMPTIONS.repositoriesPerUser)} of the users have a repository of ${ASSUMPTIONS.repositoryMegabytes} MB. A file server has ${ASSUMPTIONS.fileServerTerabytes} TB.
`;
}
