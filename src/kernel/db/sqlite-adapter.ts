import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery } from "@prisma/driver-adapter-utils";
import { retryWhileBusy } from "./busy.ts";
import { likeInSqlite } from "./like.ts";
import type { Mutex } from "./mutex.ts";
import { sqliteTransaction } from "./sqlite-transaction.ts";

const ADAPTER_NAME = "gatehouse-sqlite";

/**
 * The number of pages in the log before a checkpoint, four times SQLite's default: digests fall on different
 * pages each time, and a page that changed several times is copied once.
 */
export const LOG_LENGTH = "wal_autocheckpoint=4000";

/** Run on every open: a file that already has a write-ahead log opens with `synchronous=NORMAL`. */
const PRAGMAS = ["journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", LOG_LENGTH];

/**
 * The SQLite adapter of this product, over two stock connections: one that writes, behind a mutex, and one
 * that only reads.
 *
 * The stock adapter has a single connection. A plain write made while another request's transaction is open
 * runs inside that transaction and vanishes with its rollback after having been acknowledged, and reads see
 * rows that were never committed. Its deferred `BEGIN` fails half of the read-then-write transactions of two
 * processes.
 * @param mutex is shared with everything else in this process that writes to the file.
 */
export const sqliteAdapter = (file: string, mutex: Mutex): SqlDriverAdapterFactory => ({
  provider: "sqlite",
  adapterName: ADAPTER_NAME,
  connect: () => connect(file, mutex),
});

async function connect(file: string, mutex: Mutex): Promise<SqlDriverAdapter> {
  const writer = mended(await new PrismaBetterSqlite3({ url: file, timeout: 0 }).connect());
  for (const pragma of PRAGMAS) await retryWhileBusy(() => writer.executeScript(`PRAGMA ${pragma}`));
  const reader = mended(await new PrismaBetterSqlite3({ url: file, timeout: 0, readonly: true }).connect());
  return adapter(writer, reader, mutex);
}

function adapter(writer: SqlDriverAdapter, reader: SqlDriverAdapter, mutex: Mutex): SqlDriverAdapter {
  async function alone<Result>(write: () => Promise<Result>): Promise<Result> {
    const leave = await mutex();
    try {
      return await retryWhileBusy(write);
    } finally {
      leave();
    }
  }

  return {
    provider: "sqlite",
    adapterName: ADAPTER_NAME,
    queryRaw: (query) =>
      isRead(query) ? retryWhileBusy(() => reader.queryRaw(query)) : alone(() => writer.queryRaw(query)),
    executeRaw: (query) => alone(() => writer.executeRaw(query)),
    executeScript: (script) => alone(() => writer.executeScript(script)),
    startTransaction: async () => {
      const leave = await mutex();
      try {
        // Takes the lock immediately: a transaction that reads first could find that another one wrote in
        // between.
        await retryWhileBusy(() => writer.executeScript("BEGIN IMMEDIATE"));
      } catch (error) {
        leave();
        throw error;
      }
      return sqliteTransaction(writer, leave);
    },
    dispose: async () => {
      const leave = await mutex();
      await Promise.all([reader.dispose(), writer.dispose()]);
      leave();
    },
  };
}

/** All other statements, such as `INSERT … RETURNING` or `WITH … DELETE`, may write. */
const isRead = (query: SqlQuery): boolean => /^\s*SELECT\b/i.test(query.sql);

/**
 * Corrects the stock adapter: its `executeScript` throws where its type promises a rejection, and its
 * searches need the escape character of SQLite.
 */
function mended(stock: SqlDriverAdapter): SqlDriverAdapter {
  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    queryRaw: (query) => stock.queryRaw(searching(query)),
    executeRaw: (query) => stock.executeRaw(searching(query)),
    executeScript: async (script) => stock.executeScript(script),
    startTransaction: (level) => stock.startTransaction(level),
    dispose: () => stock.dispose(),
  };
}

const searching = (query: SqlQuery): SqlQuery => {
  const sql = likeInSqlite(query.sql);
  return sql === query.sql ? query : { ...query, sql };
};
