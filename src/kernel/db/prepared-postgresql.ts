import pg from "pg";
import { groupedWrites } from "./grouped-writes.ts";
import { createMutex } from "./mutex.ts";
import type { OpenPool } from "./pools-postgresql.ts";
import type { PostgresqlSession, PostgresqlWrite, Prepared, PreparedWrite } from "./prepared.ts";
import type { Statement } from "./statement.ts";

/**
 * The number of connections for lookups. A few connections serve thousands of lookups per second, because no
 * lookup keeps its connection for a whole transaction.
 */
const CONNECTIONS_MAX = 4;

/**
 * The number of attempts for a group of writes that fails because of simultaneous writes of other processes.
 */
const TRIES = 4;

/**
 * The errors after which a group of writes is repeated: a deadlock, a serialization failure, or a row that
 * another process has simultaneously added or removed.
 */
const PASSING: ReadonlySet<unknown> = new Set(["40P01", "40001", "23505", "23503"]);

/**
 * Values of `timestamp without time zone` are in UTC. By default, the driver would interpret the values in
 * the time zone of this machine.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.TIMESTAMP && format !== "binary"
      ? (stored: string) => stored
      : pg.types.getTypeParser(oid, format),
};

/**
 * Whether prepared statements have names. PostgreSQL stores a statement with a name for the whole session.
 */
type Naming = Readonly<{ named: boolean }>;

/**
 * Returns the prepared statements of a PostgreSQL database. Lookups have a separate small pool, because
 * transactions could otherwise occupy all connections while the transactions wait for a lookup.
 * @param scanPool the pool for statements that may read many rows.
 */
export function preparedPostgresql(openPool: OpenPool, naming: Naming, scanPool: pg.Pool): Prepared {
  const lookups = sessionOn(openPool(CONNECTIONS_MAX), naming);
  const scans = sessionOn(scanPool, naming);
  const all: PostgresqlSession["all"] = (statement, parameters) =>
    (statement.isScan === true ? scans : lookups).all(statement, parameters);
  return {
    first: async (statement, parameters) => (await all(statement, parameters))[0] ?? null,
    all,
    write: writesOn(openPool, naming),
  };
}

function sessionOn(connection: Pick<pg.ClientBase, "query"> | pg.Pool, { named }: Naming): PostgresqlSession {
  const query = <Parameters>(
    { name, postgresql: { text, values } }: Statement<Parameters, unknown, "postgresql">,
    parameters: Parameters,
  ): Promise<pg.QueryArrayResult<unknown[]>> =>
    connection.query<unknown[]>({
      ...(named ? { name } : {}),
      text,
      values: values(parameters),
      rowMode: "array",
      types,
    });
  return {
    all: async (statement, parameters) =>
      (await query(statement, parameters)).rows.map(statement.postgresql.row),
    run: async (statement, parameters) => (await query(statement, parameters)).rowCount ?? 0,
  };
}

type Queue<Write, Result> = (write: Write) => Promise<Result | false>;

function writesOn(openPool: OpenPool, naming: Naming): Prepared["write"] {
  const queues = new Map<string, unknown>();

  function queueOf<Write, Result>({ name, postgresql }: PreparedWrite<Write, Result>): Queue<Write, Result> {
    // The map stores each queue under the name of its kind of write. Each name belongs to one type of
    // prepared writes, so the type cast is correct.
    const existing = queues.get(name) as Queue<Write, Result> | undefined;
    if (existing !== undefined) return existing;
    const queue = openQueue(openPool, postgresql, naming);
    queues.set(name, queue);
    return queue;
  }

  return (kind, write) => queueOf(kind)(write);
}

function openQueue<Write, Result>(
  openPool: OpenPool,
  kind: PostgresqlWrite<Write, Result>,
  naming: Naming,
): Queue<Write, Result> {
  if ("group" in kind) {
    const pool = openPool(1);
    return groupedWrites(createMutex(), (writes) =>
      untilPassed(() =>
        inTransaction(
          pool,
          naming,
          (session) => kind.group(session, writes),
          () => true,
        ),
      ),
    );
  }
  const pool = openPool(kind.connections);
  if ("statement" in kind) return (write) => kind.statement(sessionOn(pool, naming), write);
  return (write) =>
    inTransaction(
      pool,
      naming,
      (session) => kind.transaction(session, write),
      (result) => result !== false,
    );
}

async function inTransaction<Result>(
  pool: pg.Pool,
  naming: Naming,
  run: (session: PostgresqlSession) => Promise<Result>,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await run(sessionOn(client, naming));
    await client.query(isDone(result) ? "COMMIT" : "ROLLBACK");
    client.release();
    return result;
  } catch (cause) {
    // Closes the connection, which ends the transaction.
    client.release(true);
    throw cause;
  }
}

async function untilPassed<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await attempt();
    } catch (cause) {
      if (tries >= TRIES || !isPassing(cause)) throw cause;
    }
}

const isPassing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && PASSING.has(cause.code);
