import pg from "pg";
import { type CollectorKeyColumns, collectorKeyQuery, collectorKeyRow } from "./collector-key-query.ts";
import type { HotPaths } from "./db.ts";
import { type DeviceColumns, deviceQuery, deviceRow } from "./device-query.ts";
import {
  type BearerColumns,
  bearerQuery,
  bearerRow,
  type ClientColumns,
  clientQuery,
  clientRow,
  FLAGS_QUERY,
  type PersonalTokenColumns,
  personalTokenQuery,
  personalTokenRow,
  SETTINGS_QUERY,
} from "./hot-queries.ts";
import type { OpenPool } from "./pools-postgresql.ts";
import { recordEventsPostgresql } from "./record-events-postgresql.ts";
import { recordPollPostgresql } from "./record-poll-postgresql.ts";
import { type RefreshColumns, refreshQuery, refreshRow } from "./refresh-query.ts";
import { rotatePostgresql } from "./rotate-postgresql.ts";

/** Few connections answer thousands of look-ups a second, and none is ever held over a transaction. */
const CONNECTIONS_MAX = 4;

/** `timestamp without time zone` holds UTC here; the driver would read it in the zone of this machine. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.TIMESTAMP && format !== "binary" ? toDate : pg.types.getTypeParser(oid, format),
};

/**
 * The hot look-ups as named prepared statements, on a small pool of their own: transactions that wait for a
 * look-up can then never hold all the connections that the look-up needs.
 */
export function hotPostgresql(openPool: OpenPool): HotPaths {
  const pool = openPool(CONNECTIONS_MAX);
  const rowsOf =
    <Row extends unknown[]>(name: string, text: string): ((...values: string[]) => Promise<Row[]>) =>
    async (...values) =>
      (await pool.query<Row>({ name, text, values, rowMode: "array", types })).rows;
  const access = rowsOf<BearerColumns<Date, boolean>>("bearer", bearerQuery("$1"));
  const refresh = rowsOf<RefreshColumns<Date, boolean>>("refresh", refreshQuery("$1"));
  const personal = rowsOf<PersonalTokenColumns<Date, boolean>>("personal_token", personalTokenQuery("$1"));
  const device = rowsOf<DeviceColumns<Date>>("device", deviceQuery("$1"));
  const client = rowsOf<ClientColumns<Date, boolean>>("client", clientQuery("$1"));
  const collectorKey = rowsOf<CollectorKeyColumns<boolean>>("collector_key", collectorKeyQuery("$1"));
  const settings = rowsOf<[string, string]>("settings", SETTINGS_QUERY);
  const flags = rowsOf<[string, boolean]>("flags", FLAGS_QUERY);
  return {
    bearer: async (digest) => first(await access(digest), (row) => bearerRow(row, readers)),
    refresh: async (digest) => first(await refresh(digest), (row) => refreshRow(row, readers)),
    rotate: rotatePostgresql(openPool),
    personalToken: async (digest) => first(await personal(digest), (row) => personalTokenRow(row, readers)),
    device: async (digest) => first(await device(digest), (row) => deviceRow(row, readers)),
    recordPoll: recordPollPostgresql(openPool),
    client: async (uid) => clientRow(await client(uid), readers),
    collectorKey: async (key) => first(await collectorKey(key), (row) => collectorKeyRow(row, readers)),
    recordEvents: recordEventsPostgresql(openPool),
    settings: async () => (await settings()).map(([key, value]) => ({ key, value })),
    flags: async () => (await flags()).map(([name, enabled]) => ({ name, enabled })),
  };
}

const first = <Row, Result>(rows: readonly Row[], read: (row: Row) => Result): Result | null =>
  rows[0] === undefined ? null : read(rows[0]);

const toDate = (text: string): Date => new Date(`${text.replace(" ", "T")}Z`);
const readers = { date: (time: Date): Date => time, flag: (value: boolean): boolean => value };
