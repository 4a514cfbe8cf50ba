/**
 * Computes, for `npm run bench -- capacity`, the machines that an instance needs, the load on the database,
 * and the resource that is exhausted first. The input is the measured cost of each kind of request, with
 * assumptions about users.
 *
 * @typedef {keyof typeof REQUESTS_PER_ACTIVE_USER} Kind
 * @typedef {Readonly<{ workerMicroseconds: number, databaseMicroseconds: number, transactions: number, rows:
 * number, walBytes: number }>} Cost The cost of one request: the processor time of the worker and of the
 * database server, the write transactions, and the rows and the bytes of write-ahead log that the request
 * adds to the database.
 * @typedef {Readonly<Record<Kind, Cost>>} Costs
 * @typedef {Readonly<{ syncsPerSecond: number }>} Disk the number of sequential synchronized disk writes per
 * second.
 * @typedef {Readonly<{ name: string, users: number }>} Limit the number of users at which a resource is exhausted.
 */

/** The number of requests of each kind that an active user causes in a day. */
export const REQUESTS_PER_ACTIVE_USER = Object.freeze({
  "sign-in": 0.5,
  authorization: 2,
  consent: 0.05,
  exchange: 2.05,
  refresh: 8,
  introspection: 10,
  userinfo: 2,
  "API read": 10,
  "token info": 5,
  event: 1,
  clone: 0.1,
  push: 0.05,
});

/** The assumptions of the capacity model about users and machines. */
export const ASSUMPTIONS = Object.freeze({
  /** The share of the users who are active on a day. */
  activeShare: 0.2,
  /** The ratio of the requests in the busiest hour to the requests in an average hour. */
  peakFactor: 3,
  /**
   * The share of the processor time that is used in the busiest hour. The unused processor time is a reserve
   * for failures and short peaks.
   */
  utilization: 0.6,
  machineCores: 4,
  /** The number of processors of the database server, which is one machine. */
  databaseCores: 32,
  /** The number of transactions that share one disk write when many processes commit simultaneously. */
  transactionsPerSync: 8,
  /**
   * The number of database connections of one worker, and the maximum number of connections of the database
   * server.
   */
  workerConnections: 15,
  databaseConnections: 500,
  /** The number of repositories per user, the size of a repository, and the capacity of one file server. */
  repositoriesPerUser: 0.05,
  repositoryMegabytes: 20,
  fileServerTerabytes: 50,
  /** The average number of days for which an added row remains in the database. */
  rowDays: 30,
});

const SECONDS_PER_DAY = 86_400;
const KINDS = /** @type {readonly Kind[]} */ (Object.keys(REQUESTS_PER_ACTIVE_USER));

/**
 * Returns the number of requests of one kind per second in the busiest hour.
 * @param {Kind} kind
 * @param {number} users
 */
const peakRate = (kind, users) =>
  (users * ASSUMPTIONS.activeShare * REQUESTS_PER_ACTIVE_USER[kind] * ASSUMPTIONS.peakFactor) /
  SECONDS_PER_DAY;

/**
 * Returns the sum of one field of `Cost` over all requests that arrive in one second of the busiest hour.
 * @param {Costs} costs
 * @param {keyof Cost} part
 * @param {number} users
 */
const peakSum = (costs, part, users) =>
  KINDS.reduce((sum, kind) => sum + peakRate(kind, users) * costs[kind][part], 0);

/**
 * Returns the load that the given number of users causes.
 * @param {Costs} costs
 * @param {number} users
 */
export function loadOf(costs, users) {
  const workerCores = peakSum(costs, "workerMicroseconds", users) / 1e6;
  const machines = Math.ceil(workerCores / (ASSUMPTIONS.machineCores * ASSUMPTIONS.utilization));
  const rowsPerDay = (peakSum(costs, "rows", users) * SECONDS_PER_DAY) / ASSUMPTIONS.peakFactor;
  return {
    users,
    requestsPerSecond: KINDS.reduce((sum, kind) => sum + peakRate(kind, users), 0),
    workerCores,
    machines,
    databaseCores: peakSum(costs, "databaseMicroseconds", users) / 1e6,
    transactionsPerSecond: peakSum(costs, "transactions", users),
    rowsPerDay,
    storedRows: rowsPerDay * ASSUMPTIONS.rowDays,
    walMegabytesPerSecond: peakSum(costs, "walBytes", users) / 1e6,
    connections: machines * ASSUMPTIONS.machineCores * ASSUMPTIONS.workerConnections,
    repositoryTerabytes: (users * ASSUMPTIONS.repositoriesPerUser * ASSUMPTIONS.repositoryMegabytes) / 1e6,
  };
}

/**
 * Returns the number of users at which each resource reaches its limit, lowest number first, for the
 * resources that additional worker machines do not increase. The load grows in proportion to the number of
 * users.
 * @param {Costs} costs
 * @param {Disk} disk
 * @returns {readonly Limit[]}
 */
export function limitsOf(costs, { syncsPerSecond }) {
  const users = 1e8;
  const load = loadOf(costs, users);
  const { utilization, databaseCores, transactionsPerSync, fileServerTerabytes } = ASSUMPTIONS;
  const connections = (load.workerCores / utilization) * ASSUMPTIONS.workerConnections;
  return [
    {
      name: "connections of PostgreSQL, without PgBouncer",
      users: (users * ASSUMPTIONS.databaseConnections) / connections,
    },
    {
      name: `processors of the PostgreSQL primary (${databaseCores} cores)`,
      users: (users * databaseCores * utilization) / load.databaseCores,
    },
    {
      name: "writes of the write-ahead log to the disk of the primary",
      users: (users * syncsPerSecond * transactionsPerSync * utilization) / load.transactionsPerSecond,
    },
    {
      name: `repositories on one file server (${fileServerTerabytes} TB)`,
      users: (users * fileServerTerabytes) / load.repositoryTerabytes,
    },
  ].toSorted((one, other) => one.users - other.users);
}

/**
 * Returns the share of the workers' processor time that each kind of request uses, largest share first.
 * @param {Costs} costs
 */
export function workerShares(costs) {
  const total = peakSum(costs, "workerMicroseconds", 1);
  return KINDS.map((kind) => ({
    kind,
    share: (peakRate(kind, 1) * costs[kind].workerMicroseconds) / total,
  })).toSorted((one, other) => other.share - one.share);
}
