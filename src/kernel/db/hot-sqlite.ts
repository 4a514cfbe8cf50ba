import Sqlite from "better-sqlite3";
import { type CollectorKeyColumns, collectorKeyQuery, collectorKeyRow } from "./collector-key-query.ts";
import type { HotPaths } from "./db.ts";
import { type DeviceColumns, deviceQuery, deviceRow } from "./device-query.ts";
import type { Gate } from "./gate.ts";
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
import { recordEventsSqlite } from "./record-events-sqlite.ts";
import { recordPollSqlite } from "./record-poll-sqlite.ts";
import { type RefreshColumns, refreshQuery, refreshRow } from "./refresh-query.ts";
import { rotateSqlite } from "./rotate-sqlite.ts";

/** SQLite's own waiting, which blocks: a reader meets a lock only while another process repairs the log. */
const RECOVERY_MS = 1_000;

/**
 * How much of the file is read in place, in bytes; of addresses, for the memory is the system's own cache of the file.
 * A cache of SQLite's would be thrown away with each commit of another connection. The price: a disk that fails to read
 * ends the process, where it would fail the request.
 */
const MAPPED_MAX = 1 << 30;

/** Times are ISO text here, and booleans numbers. */
const readers = {
  date: (text: string): Date => new Date(text),
  flag: (value: number): boolean => value === 1,
};

/**
 * The hot look-ups on a read-only connection of their own, each of which sees whatever any process has committed by
 * then, and rotations, polls and events.
 * @param file an existing database. Its tables need to exist only at the first use.
 * @param gate lets one writer of this process in at a time.
 */
export function hotSqlite(file: string, gate: Gate): { hot: HotPaths; close: () => void } {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: RECOVERY_MS });
  connection.pragma(`mmap_size = ${MAPPED_MAX}`);
  /** Prepared at the first use. */
  const rowsOf = <Row>(sql: string): ((...values: string[]) => Row[]) => {
    let statement: Sqlite.Statement<string[], Row> | undefined;
    return (...values) => {
      statement ??= connection.prepare<string[], Row>(sql).raw();
      return statement.all(...values);
    };
  };
  const access = rowsOf<BearerColumns<string, number>>(bearerQuery("?"));
  const refresh = rowsOf<RefreshColumns<string, number>>(refreshQuery("?"));
  const personal = rowsOf<PersonalTokenColumns<string, number>>(personalTokenQuery("?"));
  const device = rowsOf<DeviceColumns<string>>(deviceQuery("?"));
  const client = rowsOf<ClientColumns<string, number>>(clientQuery("?"));
  const collectorKey = rowsOf<CollectorKeyColumns<number>>(collectorKeyQuery("?"));
  const settings = rowsOf<[string, string]>(SETTINGS_QUERY);
  const flags = rowsOf<[string, number]>(FLAGS_QUERY);
  const rotation = rotateSqlite(file, gate);
  const polls = recordPollSqlite(file, gate);
  const events = recordEventsSqlite(file, gate);
  return {
    hot: {
      bearer: (digest) => first(access(digest), (row) => bearerRow(row, readers)),
      refresh: (digest) => first(refresh(digest), (row) => refreshRow(row, readers)),
      rotate: rotation.rotate,
      personalToken: (digest) => first(personal(digest), (row) => personalTokenRow(row, readers)),
      device: (digest) => first(device(digest), (row) => deviceRow(row, readers)),
      recordPoll: polls.recordPoll,
      client: (uid) => clientRow(client(uid), readers),
      collectorKey: (key) => first(collectorKey(key), (row) => collectorKeyRow(row, readers)),
      recordEvents: events.recordEvents,
      settings: () => settings().map(([key, value]) => ({ key, value })),
      flags: () => flags().map(([name, enabled]) => ({ name, enabled: enabled === 1 })),
    },
    close: () => {
      rotation.close();
      polls.close();
      events.close();
      connection.close();
    },
  };
}

const first = <Row, Result>(rows: readonly Row[], read: (row: Row) => Result): Result | null =>
  rows[0] === undefined ? null : read(rows[0]);
