import type { Statement } from "./statement.ts";

/** The result of a statement: a value on SQLite, and a promise of the value on PostgreSQL. */
export type Eventually<Value> = Value | Promise<Value>;

/** A SQLite connection inside a transaction. */
export type SqliteSession = Readonly<{
  first: <Parameters, Row>(
    statement: Statement<Parameters, Row, "sqlite">,
    parameters: NoInfer<Parameters>,
  ) => Row | null;
  all: <Parameters, Row>(
    statement: Statement<Parameters, Row, "sqlite">,
    parameters: NoInfer<Parameters>,
  ) => readonly Row[];
  /** @returns the number of rows that the statement changed. */
  run: <Parameters>(
    statement: Statement<Parameters, unknown, "sqlite">,
    parameters: NoInfer<Parameters>,
  ) => number;
}>;

/** A PostgreSQL connection. */
export type PostgresqlSession = Readonly<{
  all: <Parameters, Row>(
    statement: Statement<Parameters, Row, "postgresql">,
    parameters: NoInfer<Parameters>,
  ) => Promise<readonly Row[]>;
  /** @returns the number of rows that the statement changed. */
  run: <Parameters>(
    statement: Statement<Parameters, unknown, "postgresql">,
    parameters: NoInfer<Parameters>,
  ) => Promise<number>;
}>;

/**
 * A kind of write that requests perform often. Each function returns the result of the write, or false if
 * nothing was written. A function for a group of writes returns a list with the result of each write.
 *
 * On SQLite, one transaction commits all waiting writes. A write that returns false leaves no change. On
 * PostgreSQL, each kind of write has its own connection pool. The pools are separate because a write may wait
 * for a lock of a transaction, and that transaction may need a connection for a lookup.
 */
export type PreparedWrite<Write, Result = true> = Readonly<{
  /** The name of the kind of write, which is unique. */
  name: string;
  sqlite:
    | Readonly<{ each: (session: SqliteSession, write: Write) => Result | false }>
    | Readonly<{
        /**
         * Performs all writes of a group together. The function is defined only if a group of writes is
         * faster than the same writes one after the other.
         */
        group: (session: SqliteSession, writes: readonly Write[]) => readonly (Result | false)[];
        /**
         * The maximum number of event-loop iterations for which a group waits for more writes. A group waits
         * only while each iteration adds writes.
         */
        turns: number;
      }>;
  postgresql: PostgresqlWrite<Write, Result>;
}>;

export type PostgresqlWrite<Write, Result> =
  /** The write is a single statement, which is committed without an explicit transaction. */
  | Readonly<{
      connections: number;
      statement: (session: PostgresqlSession, write: Write) => Promise<Result | false>;
    }>
  /** Each write runs in a separate transaction, which is rolled back when the function returns false. */
  | Readonly<{
      connections: number;
      transaction: (session: PostgresqlSession, write: Write) => Promise<Result | false>;
    }>
  /**
   * All waiting writes run in one transaction, and only one transaction runs at a time. The transaction is
   * repeated when it fails because of a simultaneous write of another process.
   */
  | Readonly<{
      group: (session: PostgresqlSession, writes: readonly Write[]) => Promise<readonly (Result | false)[]>;
    }>;

/**
 * Runs typed statements that only read rows, without Prisma. Outside of a transaction, the statements run on
 * separate connections; inside of a transaction, the statements return the changes of the transaction.
 */
export type Reads = Pick<Prepared, "first" | "all">;

/** The prepared statements for frequent queries and writes, which bypass Prisma. */
export type Prepared = Readonly<{
  /**
   * Returns the first row of the result, or null. The returned row includes all changes that any process
   * committed before the call.
   */
  first: <Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ) => Eventually<Row | null>;
  all: <Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ) => Eventually<readonly Row[]>;
  /**
   * Resolves after the write is on the disk.
   * @returns the result of the write; false if nothing was written.
   */
  write: <Write, Result>(
    kind: PreparedWrite<Write, Result>,
    write: NoInfer<Write>,
  ) => Promise<Result | false>;
}>;
