import type Sqlite from "better-sqlite3";
import type { SqliteSession } from "./prepared.ts";
import type { Statement } from "./statement.ts";

type Ready = Readonly<{ text: string; prepared: Sqlite.Statement<unknown[], unknown[]> }>;

/** Returns the values of the columns of each row, as SQLite stores them. */
export type ColumnLookup = <Parameters>(
  statement: Statement<Parameters, unknown, "sqlite">,
  parameters: NoInfer<Parameters>,
) => readonly (readonly unknown[])[];

/** Returns the functions that run typed statements on a connection. Each statement is prepared at its first use. */
export function sessionOn(connection: Sqlite.Database): SqliteSession & Readonly<{ columns: ColumnLookup }> {
  const ready = new Map<string, Ready>();

  function prepare<Parameters>({ name, sqlite: { text } }: Statement<Parameters, unknown, "sqlite">) {
    const existing = ready.get(name);
    if (existing?.text === text) return existing.prepared;
    if (existing !== undefined) throw new Error(`Two statements have the name ${name}.`);
    const prepared = connection.prepare<unknown[], unknown[]>(text);
    if (prepared.reader) prepared.raw();
    ready.set(name, { text, prepared });
    return prepared;
  }

  const columns: ColumnLookup = (statement, parameters) =>
    prepare(statement).all(...statement.sqlite.values(parameters));

  return {
    first: (statement, parameters) => {
      const columns = prepare(statement).get(...statement.sqlite.values(parameters));
      return columns === undefined ? null : statement.sqlite.row(columns);
    },
    all: (statement, parameters) => columns(statement, parameters).map(statement.sqlite.row),
    columns,
    run: (statement, parameters) => prepare(statement).run(...statement.sqlite.values(parameters)).changes,
  };
}
