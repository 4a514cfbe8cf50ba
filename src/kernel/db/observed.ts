import type { Logger } from "../log/log.ts";
import { inStatement, TRANSACTION } from "../tracing/tracing.ts";
import type { Provider } from "./column-types.ts";
import type { Database } from "./db.ts";
import type { PrismaClient } from "./generated/sqlite/client.ts";
import type { Prepared, Reads } from "./prepared.ts";

/** The options for observing statements with spans and with log lines about slow statements. */
export type Observation = Readonly<{
  log: Logger;
  /** The minimum duration of a statement that is logged as slow; null if slow statements are not logged. */
  slowQueryMs: number | null;
}>;

/** Runs a named statement, and observes its duration. */
type Observe = <Result>(name: string, run: () => Result) => Result;

/** The values of the attribute `db.system.name` in the conventions of OpenTelemetry. */
const SYSTEMS: Readonly<Record<Provider, string>> = { sqlite: "sqlite", postgresql: "postgresql" };

export function observeOn(provider: Provider, { log, slowQueryMs }: Observation): Observe {
  const slowMs = slowQueryMs ?? Number.POSITIVE_INFINITY;
  return (name, run) =>
    inStatement(
      name,
      { "db.system.name": SYSTEMS[provider], "db.query.summary": name },
      run,
      (duration, requestId) => {
        if (duration < slowMs) return;
        const milliseconds = Math.round(duration * 10) / 10;
        log.warn({ event: "database.slow", statement: name, milliseconds, request_id: requestId });
      },
    );
}

/** Returns a client whose queries are observed under the names of their model and operation, such as `User.findMany`. */
export const observedClient = (client: PrismaClient, observe: Observe): PrismaClient =>
  client.$extends({
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        observe(model === undefined ? operation : `${model}.${operation}`, async () => query(args)),
    },
  }) as unknown as PrismaClient;

/** Returns typed statements that are observed under their names. */
export const observedReads = ({ first, all }: Reads, observe: Observe): Reads => ({
  first: (statement, parameters) => observe(statement.name, () => first(statement, parameters)),
  all: (statement, parameters) => observe(statement.name, () => all(statement, parameters)),
});

/**
 * Returns prepared statements and writes that are observed under their names. The duration of a write
 * includes its time in the queue.
 */
export const observedPrepared = (prepared: Prepared, observe: Observe): Prepared => ({
  ...observedReads(prepared, observe),
  write: (kind, write) => observe(kind.name, () => prepared.write(kind, write)),
});

/**
 * Returns a function that runs transactions, and observes each transaction and the typed statements in the
 * transaction.
 */
export const observedTransactions =
  (transaction: Database["transaction"], observe: Observe): Database["transaction"] =>
  (run) =>
    observe(TRANSACTION, () => transaction((db, reads) => run(db, observedReads(reads, observe))));
