import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery } from "@prisma/driver-adapter-utils";
import { retryWhileBusy } from "./busy.ts";
import { likeInSqlite } from "./like.ts";
import type { Mutex } from "./mutex.ts";
import { LOG_LENGTH } from "./sqlite-pragmas.ts";
import { sqliteTransaction } from "./sqlite-transaction.ts";

const ADAPTER_NAME = "gatehouse-sqlite";

/**
 * The pragmas run each time a file is opened, because SQLite opens a file that already has a write-ahead log
 * with `synchronous=NORMAL`.
 */
const PRAGMAS = ["journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", LOG_LENGTH];

/**
 * The SQLite adapter of Gatehouse uses two connections of Prisma's adapter: one for writes, which a mutex
 * protects, and one that only reads.
 *
 * The adapter of Prisma has a single connection. With Prisma's adapter, a plain write during the open
 * transaction of another request would run inside that transaction. A rollback would discard the write after
 * it was acknowledged, and reads would see rows that are never committed. The adapter of Prisma begins
 * transactions with a deferred `BEGIN`. If two processes run transactions that first read and then write,
 * half of these transactions would fail.
 * @param mutex the mutex that all writers of this process share for the file.
 * @param executed the function that is called after each statement, before its result is returned.
 */
export const sqliteAdapter = (file: string, mutex: Mutex, executed: () => void): SqlDriverAdapterFactory => ({
  provider: "sqlite",
  adapterName: ADAPTER_NAME,
  connect: () => connect(file, mutex, executed),
});

async function connect(file: string, mutex: Mutex, executed: () => void): Promise<SqlDriverAdapter> {
  const writer = mended(await new PrismaBetterSqlite3({ url: file, timeout: 0 }).connect(), executed);
  for (const pragma of PRAGMAS) await retryWhileBusy(() => writer.executeScript(`PRAGMA ${pragma}`));
  const reader = mended(
    await new PrismaBetterSqlite3({ url: file, timeout: 0, readonly: true }).connect(),
    executed,
  );
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
        // The transaction acquires the write lock immediately. A transaction that acquires the lock only
        // after a read could fail, because another connection may write between the read and the lock.
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

/**
 * Returns whether a statement is a `SELECT`. All other statements, such as `INSERT … RETURNING` or `WITH …
 * DELETE`, may write.
 */
const isRead = (query: SqlQuery): boolean => /^\s*SELECT\b/i.test(query.sql);

/**
 * Corrects two problems of the adapter of Prisma: `executeScript` throws although its type promises a rejection,
 * and searches need the escape character of SQLite.
 */
function mended(stock: SqlDriverAdapter, executed: () => void): SqlDriverAdapter {
  async function execute<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } finally {
      executed();
    }
  }

  return {
    provider: stock.provider,
    adapterName: stock.adapterName,
    queryRaw: (query) => execute(() => stock.queryRaw(searching(query))),
    executeRaw: (query) => execute(() => stock.executeRaw(searching(query))),
    executeScript: (script) => execute(async () => stock.executeScript(script)),
    startTransaction: (level) => stock.startTransaction(level),
    dispose: () => stock.dispose(),
  };
}

const searching = (query: SqlQuery): SqlQuery => {
  const sql = likeInSqlite(query.sql);
  return sql === query.sql ? query : { ...query, sql };
};
