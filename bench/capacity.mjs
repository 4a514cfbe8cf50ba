import { randomBytes } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { startInstance } from "../scripts/instance.mjs";
import { startPostgres } from "../scripts/postgres.mjs";
import { freePort } from "../scripts/program.mjs";
import { REQUESTS_PER_ACTIVE_USER } from "./capacity-model.mjs";
import { capacityRequests } from "./capacity-requests.mjs";
import { processorTime } from "./processor-time.mjs";
import { median } from "./report.mjs";

/**
 * @import { Later } from "../scripts/temporarily.mjs"
 * @import { Cost, Costs, Disk, Kind } from "./capacity-model.mjs"
 * @import { Send } from "./capacity-requests.mjs"
 */

const CONNECTIONS = 8;
/** The server limits the number of simultaneous Git processes of one user. */
const GIT_CONNECTIONS = 2;
const GIT_KINDS = /** @type {readonly Kind[]} */ (["clone", "push"]);
const WARM_UP_MILLISECONDS = 1_500;
const MILLISECONDS = 2_000;
const ROUNDS = 3;
const SYNCS = 200;
const KINDS = /** @type {readonly Kind[]} */ (Object.keys(REQUESTS_PER_ACTIVE_USER));

/**
 * Measures the cost of each kind of request. A server with one worker on PostgreSQL receives requests of one
 * kind at a time over eight connections.
 * @param {string} folder
 * @param {Later} later
 * @returns {Promise<{ costs: Costs, disk: Disk }>}
 * @throws StepFailed if a response is incorrect.
 */
export async function measureCapacity(folder, later) {
  const place = join(folder, "capacity");
  await mkdir(place);
  const server = await startPostgres();
  later(server.stop);
  const database = await openDatabase(server.url("postgres"));
  later(database.close);
  const env = { DATABASE_URL: server.url("postgres"), GATEHOUSE_SECRET: randomBytes(32).toString("hex") };
  const instance = await startInstance({ port: await freePort(), folder: place, env, later });
  const requests = await capacityRequests(instance, place);
  /** @type {Partial<Record<Kind, Cost>>} */
  const costs = {};
  for (const kind of KINDS) {
    const senders = () => requests[kind](GIT_KINDS.includes(kind) ? GIT_CONNECTIONS : CONNECTIONS);
    await loadOf(await senders(), WARM_UP_MILLISECONDS);
    /** @type {Cost[]} */
    const samples = [];
    for (let round = 0; round < ROUNDS; round += 1)
      samples.push(await costOf(await senders(), instance.program.pid, database));
    costs[kind] = medianCost(samples);
  }
  return { costs: /** @type {Costs} */ (costs), disk: { syncsPerSecond: syncsPerSecond(place) } };
}

/** @param {readonly Cost[]} samples @returns {Cost} */
function medianCost(samples) {
  const of = (/** @type {keyof Cost} */ part) => median(samples.map((sample) => sample[part]));
  return {
    workerMicroseconds: of("workerMicroseconds"),
    databaseMicroseconds: of("databaseMicroseconds"),
    transactions: of("transactions"),
    rows: of("rows"),
    walBytes: of("walBytes"),
  };
}

/**
 * @param {readonly Send[]} senders
 * @param {number | undefined} pid the process of the server.
 * @param {Awaited<ReturnType<typeof openDatabase>>} database
 * @returns {Promise<Cost>}
 */
async function costOf(senders, pid, database) {
  const before = await database.state();
  const startedAt = processorTime(pid);
  const requests = await loadOf(senders, MILLISECONDS);
  const workerMicroseconds = (processorTime(pid) - startedAt) / requests;
  const after = await database.state();
  return {
    workerMicroseconds,
    databaseMicroseconds: (after.microseconds - before.microseconds) / requests,
    transactions: (after.transactions - before.transactions) / requests,
    rows: (after.rows - before.rows) / requests,
    walBytes: (after.walBytes - before.walBytes) / requests,
  };
}

/**
 * Sends requests over all connections for the given time. @returns the number of sent requests.
 * @param {readonly Send[]} senders
 * @param {number} milliseconds
 */
async function loadOf(senders, milliseconds) {
  const end = performance.now() + milliseconds;
  const counts = await Promise.all(
    senders.map(async (send) => {
      let count = 0;
      while ((count === 0 || performance.now() < end) && (await send()) !== false) count += 1;
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Opens a connection that reads the counters of a PostgreSQL server. The function `state` reads the processor
 * time after all other counters. The difference between two states therefore includes the processor time of
 * the queries in the second call of `state`, but not the processor time of the queries in the first call.
 * @param {string} url
 */
async function openDatabase(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  /** @param {string} statement @returns {Promise<string>} */
  const read = async (statement) => {
    const { rows } = await client.query({ text: statement, rowMode: "array" });
    return String(rows[0]?.[0]);
  };
  const pid = Number((await read("SELECT pg_read_file('postmaster.pid')")).split("\n", 1)[0]);
  const countRows = async () => {
    const tables = await read(
      "SELECT string_agg(format('SELECT count(*) FROM %I', tablename), ' UNION ALL ') FROM pg_tables WHERE schemaname = 'public'",
    );
    return Number(await read(`SELECT sum(count) FROM (${tables}) AS counts`));
  };
  return {
    state: async () => {
      const rows = await countRows();
      const transactions = Number(await read("SELECT pg_snapshot_xmax(pg_current_snapshot())"));
      const walBytes = Number(await read("SELECT pg_current_wal_insert_lsn() - '0/0'"));
      return { rows, transactions, walBytes, microseconds: processorTime(pid) };
    },
    close: () => client.end(),
  };
}

/**
 * Returns the number of 8 kB writes per second if each write is synchronized to the disk before the next
 * write, as in the write-ahead log of PostgreSQL.
 * @param {string} folder
 */
function syncsPerSecond(folder) {
  const file = openSync(join(folder, "sync"), "w");
  const page = randomBytes(8_192);
  const begin = performance.now();
  for (let at = 0; at < SYNCS; at += 1) {
    writeSync(file, page);
    fdatasyncSync(file);
  }
  closeSync(file);
  return (SYNCS * 1_000) / (performance.now() - begin);
}
