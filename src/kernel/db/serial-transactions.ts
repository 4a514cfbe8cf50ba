import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from "@prisma/driver-adapter-utils";
import { createMutex } from "./mutex.ts";

/**
 * Returns an adapter whose transactions send one statement at a time. Prisma loads the relations of a row
 * simultaneously, also inside a transaction, which has one connection. The client `pg` warns about a query
 * that waits in the client for another query, and the next version of the client rejects such a query.
 */
export const serialTransactions = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = await factory.connect();
    const start: SqlDriverAdapter["startTransaction"] = adapter.startTransaction.bind(adapter);
    return Object.assign(adapter, {
      startTransaction: async (...isolation: Parameters<typeof start>) => serial(await start(...isolation)),
    });
  },
});

function serial(transaction: Transaction): Transaction {
  const mutex = createMutex();
  const alone =
    <Result>(send: (query: SqlQuery) => Promise<Result>) =>
    async (query: SqlQuery): Promise<Result> => {
      const leave = await mutex();
      try {
        return await send(query);
      } finally {
        leave();
      }
    };
  return Object.assign(transaction, {
    queryRaw: alone(transaction.queryRaw.bind(transaction)),
    executeRaw: alone(transaction.executeRaw.bind(transaction)),
  });
}
