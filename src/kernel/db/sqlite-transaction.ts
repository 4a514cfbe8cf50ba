import {
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils";

type State = "open" | "failed" | "closed";

/**
 * Returns a transaction that has begun on `writer`. The function `leave` releases the mutex of the writers,
 * and is called once, after the commit or the rollback.
 *
 * A failed statement aborts the transaction, as in PostgreSQL. SQLite would keep the transaction open after
 * most errors. After some errors, such as a full disk, SQLite rolls the transaction back, and later
 * statements would run outside any transaction.
 */
export function sqliteTransaction(writer: SqlDriverAdapter, leave: () => void): Transaction {
  let state: State = "open";

  async function inside<Result>(work: () => Promise<Result>): Promise<Result> {
    if (state !== "open") throw transactionEnded(state);
    try {
      return await work();
    } catch (error) {
      state = "failed";
      throw error;
    }
  }

  async function rollback(): Promise<void> {
    state = "closed";
    // SQLite refuses a rollback if SQLite has already rolled the transaction back because of the failure.
    await writer.executeScript("ROLLBACK").catch(() => undefined);
  }

  async function ending(work: () => Promise<void>): Promise<void> {
    if (state === "closed") return;
    try {
      await work();
    } finally {
      leave();
    }
  }

  return {
    provider: "sqlite",
    adapterName: writer.adapterName,
    // The functions `commit` and `rollback` below send the statements, and release the mutex afterwards.
    options: { usePhantomQuery: true },
    queryRaw: (query: SqlQuery): Promise<SqlResultSet> => inside(() => writer.queryRaw(query)),
    executeRaw: (query: SqlQuery): Promise<number> => inside(() => writer.executeRaw(query)),
    createSavepoint: (name) => inside(() => writer.executeScript(`SAVEPOINT ${name}`)),
    releaseSavepoint: (name) => inside(() => writer.executeScript(`RELEASE SAVEPOINT ${name}`)),
    rollbackToSavepoint: async (name) => {
      if (state === "closed") throw transactionEnded(state);
      await writer.executeScript(`ROLLBACK TO ${name}`);
      state = "open";
    },
    commit: () =>
      ending(async () => {
        try {
          await inside(() => writer.executeScript("COMMIT"));
          state = "closed";
        } catch (error) {
          await rollback();
          throw error;
        }
      }),
    rollback: () => ending(rollback),
  };
}

const transactionEnded = (state: State): DriverAdapterError =>
  new DriverAdapterError({ kind: "TransactionAlreadyClosed", cause: `The transaction has ${state}.` });
