import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import type { DatabaseConfig } from "../config/config.ts";
import type { Provider } from "./column-types.ts";
import type { Database, Db } from "./db.ts";
import type { PrismaClient } from "./generated/sqlite/client.ts";
import { createMutex } from "./mutex.ts";
import {
  type Observation,
  observedClient,
  observedPrepared,
  observedTransactions,
  observeOn,
} from "./observed.ts";
import { isTransactionPooler } from "./pooler.ts";
import type { Prepared } from "./prepared.ts";
import { preparedSqlite } from "./prepared-sqlite.ts";
import type { Patience } from "./reach-postgresql.ts";
import { readsInTransaction } from "./reads-in-transaction.ts";
import { serialTransactions } from "./serial-transactions.ts";
import { sqliteAdapter } from "./sqlite-adapter.ts";
import { createSqliteFile } from "./sqlite-file.ts";
import { openSqliteWriter } from "./sqlite-writer.ts";
import { openWriterThread } from "./writer-thread.ts";

/** The maximum time in milliseconds for which a transaction waits for a connection, and for which it then runs. */
const TRANSACTION_MS = 10_000;
const createTransactionOptions = (milliseconds: number) => ({ maxWait: milliseconds, timeout: milliseconds });

const CONNECTIONS_MAX = 10;

/**
 * The just-in-time compilation of PostgreSQL is off, because a query takes milliseconds. Compiling a query
 * takes hundreds of milliseconds, and would be repeated for each query.
 */
const NO_COMPILING = "-c jit=off";

/**
 * PostgreSQL plans each execution separately. By default, PostgreSQL may use one generic plan for all values
 * of a statement after five executions. The generic plan assumes that a search has many matches, and that a
 * page contains a tenth of the list. The generic plan takes ten times as long as the plan for the actual
 * values.
 */
const PLANNED_EACH_TIME = "-c plan_cache_mode=force_custom_plan";

/**
 * The maximum number of named statements. Each connection stores each named statement. The text of a
 * statement with a list depends on the length of the list, so the number of statements would be unbounded
 * without this limit.
 */
const STATEMENT_NAMES_MAX = 500;

/**
 * Prevents V8 from optimizing Prisma's query compiler, which is WebAssembly. The optimization would take half
 * a second of processor time and 45 MB of memory during a start. The optimization would not make requests
 * faster, because the results of the query compiler are cached.
 */
const BASELINE_WASM = "--wasm-tiering-budget=1000000000";

export type OpenOptions = Readonly<{
  /**
   * The program of a thread that commits the prepared writes to SQLite. Without a program of a writer thread,
   * the thread of the caller commits the writes.
   */
  writerThread?: string | undefined;
  /** The options for observing all statements; undefined if no statement is measured. */
  observation?: Observation | undefined;
  /**
   * The time limit of a transaction in milliseconds; by default ten seconds. On PostgreSQL, the value is also the time
   * limit for the wait for a lock or for a connection.
   */
  transactionMs?: number;
}>;

/**
 * Opens the database, which must be migrated before its first query.
 * @throws an Error when the file cannot be created or opened, or when the server does not respond.
 */
export function openDatabase(config: DatabaseConfig, options: OpenOptions = {}): Promise<Database> {
  setFlagsFromString(BASELINE_WASM);
  return config.provider === "sqlite"
    ? openSqlite(config.file, options)
    : openPostgresql(config.url, options);
}

/**
 * Waits for the database server.
 * @throws an Error whose message is a sentence for the operator, as `reachPostgresql` does.
 */
export async function reachDatabase(config: DatabaseConfig, patience: Patience): Promise<void> {
  if (config.provider === "sqlite") return;
  const { reachPostgresql } = await import("./reach-postgresql.ts");
  await reachPostgresql(config.url, patience);
}

async function openSqlite(
  file: string,
  { writerThread, observation, transactionMs = TRANSACTION_MS }: OpenOptions,
): Promise<Database> {
  createSqliteFile(file);
  const mutex = createMutex();
  const { PrismaClient: Client } = await import("./generated/sqlite/client.ts");
  const writer = writerThread === undefined ? openSqliteWriter(file) : openWriterThread(writerThread, file);
  const { prepared, endSnapshot, close } = preparedSqlite(file, mutex, writer);
  const client = new Client({
    adapter: sqliteAdapter(file, mutex, endSnapshot),
    transactionOptions: createTransactionOptions(transactionMs),
  });
  await client.$connect();
  return {
    ...queries(client, prepared, "sqlite", observation),
    close: async () => {
      await close();
      await client.$disconnect();
    },
  };
}

async function openPostgresql(
  url: string,
  { observation, transactionMs = TRANSACTION_MS }: OpenOptions,
): Promise<Database> {
  // The PostgreSQL modules are loaded only here, because an instance on SQLite does not need these modules.
  const { PrismaPg } = await import("@prisma/adapter-pg");
  const { preparedPostgresql } = await import("./prepared-postgresql.ts");
  const { openPools } = await import("./pools-postgresql.ts");
  const connection = { connectionString: url, application_name: "gatehouse", options: NO_COMPILING };
  const pools = openPools(connection, transactionMs);
  const pool = pools.openPool(CONNECTIONS_MAX, { options: `${NO_COMPILING} ${PLANNED_EACH_TIME}` });
  const named = !isTransactionPooler(url);
  const adapter = serialTransactions(
    new PrismaPg(pool, named ? { statementNameGenerator: statementNames() } : {}),
  );
  const { PrismaClient: Client } = await import("./generated/postgresql/client.ts");
  // The Prisma clients of both databases are generated from the same models. No other code distinguishes
  // between the two clients.
  const client = new Client({
    adapter,
    transactionOptions: createTransactionOptions(transactionMs),
  }) as unknown as PrismaClient;
  await client.$connect();
  await client.$queryRaw`SELECT 1`;
  return {
    ...queries(client, preparedPostgresql(pools.openPool, { named }, pool), "postgresql", observation),
    sharesConnections: !named,
    close: async () => {
      await client.$disconnect();
      await pools.close();
    },
  };
}

function queries(
  client: PrismaClient,
  prepared: Prepared,
  provider: Provider,
  observation: Observation | undefined,
): Omit<Database, "close"> {
  const queried: Omit<Database, "close"> = {
    db: client,
    prepared,
    transaction: (run) => client.$transaction((db: Db) => run(db, readsInTransaction(db, provider))),
  };
  if (observation === undefined) return queried;
  const observe = observeOn(provider, observation);
  const observed = observedClient(client, observe);
  return {
    db: observed,
    prepared: observedPrepared(prepared, observe),
    transaction: observedTransactions(
      (run) => observed.$transaction((db: Db) => run(db, readsInTransaction(db, provider))),
      observe,
    ),
  };
}

/**
 * Returns a function that derives the name of a statement from its text. After `STATEMENT_NAMES_MAX`
 * different statements, the name of each additional statement is empty, so that PostgreSQL does not store the
 * statement.
 */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const existing = names.get(sql);
    if (existing !== undefined) return existing;
    if (names.size >= STATEMENT_NAMES_MAX) return "";
    const name = createHash("sha256").update(sql).digest("base64url");
    names.set(sql, name);
    return name;
  };
}
