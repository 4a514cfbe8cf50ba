import type { Statement } from "./statement.ts";

/** A value on SQLite, a promise of it on PostgreSQL. */
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
 * A kind of write on a hot path. Each function returns whether the write, or each write of a group, took
 * place.
 *
 * SQLite commits all writes that wait simultaneously in one transaction. A write that returns false leaves
 * no change. On PostgreSQL each kind has its own pool, because a write may wait for a lock: lookups that the
 * holder of the lock needs must not wait for the same connections.
 */
export type PreparedWrite<Write> = Readonly<{
  /** Unique among kinds of writes. */
  name: string;
  sqlite:
    | Readonly<{ each: (session: SqliteSession, write: Write) => boolean }>
    | Readonly<{
        /** Performs all writes of a group, where that is faster than one write after the other. */
        group: (session: SqliteSession, writes: readonly Write[]) => readonly boolean[];
        /** The turns of the event loop that a group waits at most, while each turn adds writes. */
        turns: number;
      }>;
  postgresql: PostgresqlWrite<Write>;
}>;

export type PostgresqlWrite<Write> =
  /** A single statement, which commits by itself. */
  | Readonly<{
      connections: number;
      statement: (session: PostgresqlSession, write: Write) => Promise<boolean>;
    }>
  /** Each write in a transaction of its own, which is rolled back when it returns false. */
  | Readonly<{
      connections: number;
      transaction: (session: PostgresqlSession, write: Write) => Promise<boolean>;
    }>
  /** One transaction at a time, for all writes that wait. It is repeated when another process made it fail. */
  | Readonly<{
      group: (session: PostgresqlSession, writes: readonly Write[]) => Promise<readonly boolean[]>;
    }>;

/** The prepared statements of the hot paths, which bypass Prisma. */
export type Prepared = Readonly<{
  /** Returns the first row, with all changes that any process has committed; null when there is none. */
  first: <Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ) => Eventually<Row | null>;
  all: <Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ) => Eventually<readonly Row[]>;
  /** Resolves once the write is on the disk. @returns whether it took place. */
  write: <Write>(kind: PreparedWrite<Write>, write: NoInfer<Write>) => Promise<boolean>;
}>;
