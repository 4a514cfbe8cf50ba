import type { Provider } from "./column-types.ts";
import type { Db } from "./db.ts";
import type { Reads } from "./prepared.ts";

/**
 * Returns functions that run typed statements inside of a Prisma transaction. The statements return the
 * changes of the transaction.
 */
export function readsInTransaction(db: Pick<Db, "$queryRawUnsafe">, provider: Provider): Reads {
  const all: Reads["all"] = async (statement, parameters) => {
    const { text, values, row } = statement[provider];
    const stored = await db.$queryRawUnsafe<object[]>(text, ...values(parameters));
    return stored.map((columns) => row(Object.values(columns).map((value) => DRIVER[provider](value))));
  };
  return { all, first: async (statement, parameters) => (await all(statement, parameters))[0] ?? null };
}

/** Converts a value from Prisma to the value that the driver returns for a prepared statement. */
const DRIVER: Readonly<Record<Provider, (value: unknown) => unknown>> = {
  sqlite: (value) => {
    if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
    return value instanceof Date ? value.toISOString() : value;
  },
  postgresql: (value) => {
    if (typeof value === "bigint") return Number(value);
    return value instanceof Date ? value.toISOString().slice(0, -1) : value;
  },
};
