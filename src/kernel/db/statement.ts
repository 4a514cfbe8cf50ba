import type { Provider, ReadType, WriteType } from "./column-types.ts";

/** A column of a result: its SQL expression and its type. */
type Column<Value> = readonly [expression: string, type: ReadType<Value>];
/**
 * The columns of a result by their names in the rows of the result. If the rows contain a nested object, the
 * columns of the object are grouped under the name of the object.
 */
export type Columns = { readonly [name: string]: Column<unknown> | Columns | Optional<Columns> };
/** The columns of a joined row that may be missing in an outer join. */
type Optional<Of> = Readonly<{ [OPTIONAL]: Of }>;
const OPTIONAL = Symbol("optional");
/**
 * Returns the columns of a nested object that can be missing. If the first column of the nested object is
 * null, the result is null instead of the object. The first column of a nested object must never be null in
 * an existing row.
 */
export const optional = <const Of extends Columns>(columns: Of): Optional<Of> => ({ [OPTIONAL]: columns });

type ParameterTypes<On extends Provider> = Readonly<Record<string, WriteType<never, On>>>;

/** A row of a result. */
export type RowOf<Of> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Value>
    ? Value
    : Of[Name] extends Optional<infer Nested>
      ? RowOf<Nested> | null
      : RowOf<Of[Name]>;
};
type ParametersOf<Types> = {
  readonly [Name in keyof Types]: Types[Name] extends {
    write: Record<string, (value: infer Value) => unknown>;
  }
    ? Value
    : never;
};

/**
 * A statement for one database: its text, the values of its parameters in their order, and the conversion of
 * its rows.
 */
type Compiled<Parameters, Row> = Readonly<{
  text: string;
  values: (parameters: Parameters) => unknown[];
  row: (columns: readonly unknown[]) => Row;
}>;

/** A statement that each connection prepares once. The name of the statement is unique. */
export type Statement<Parameters, Row, On extends Provider = Provider> = Readonly<
  { name: string; isCached?: boolean | undefined; isScan?: boolean | undefined } & Record<
    On,
    Compiled<Parameters, Row>
  >
>;

type Definition<Types, Of> = Readonly<{
  name: string;
  parameters: Types;
  columns: Of;
  /**
   * Whether `lookup-cache.ts` stores the results. The cache is useful for rows that rarely change and are
   * read by most requests.
   */
  isCached?: boolean;
  /**
   * Whether the statement may read many rows, as a list or a sum does. PostgreSQL plans each execution of such
   * a statement for its parameters, and does not run the statement on the connections of lookups.
   */
  isScan?: boolean;
}>;
/**
 * SQL text with named parameters (`:id`). The argument of the function is the list of columns that follows
 * SELECT or RETURNING.
 */
type Text = (columns: string) => string;

/**
 * Returns an SQL condition that is true if a column equals one of the values of a parameter, such as
 * `isIn('p."id"', ":ids")`.
 */
export type IsIn = (column: string, list: string) => string;

/**
 * Returns the SQL of both databases for a statement with a list as a parameter of the type `integers` or
 * `texts`.
 * @param sql the SQL text.
 */
export const withList = (sql: (columns: string, isIn: IsIn) => string): Readonly<Record<Provider, Text>> => ({
  sqlite: (columns) => sql(columns, (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`),
  postgresql: (columns) => sql(columns, (column, list) => `${column} = ANY(${list})`),
});

/**
 * Defines a statement for both databases. `sql` is one text for both databases, or one text for each
 * database.
 */
export function statement<const Types extends ParameterTypes<Provider>, const Of extends Columns>({
  sql,
  ...definition
}: Definition<Types, Of> & Readonly<{ sql: Text | Readonly<Record<Provider, Text>> }>): Statement<
  ParametersOf<Types>,
  RowOf<Of>
> {
  const texts = typeof sql === "function" ? { sqlite: sql, postgresql: sql } : sql;
  return {
    name: definition.name,
    isCached: definition.isCached,
    isScan: definition.isScan,
    sqlite: compile("sqlite", definition, texts.sqlite),
    postgresql: compile("postgresql", definition, texts.postgresql),
  };
}

/** Defines a statement that only SQLite runs. */
export const sqliteStatement = <const Types extends ParameterTypes<"sqlite">, const Of extends Columns>(
  definition: Definition<Types, Of> & Readonly<{ sql: Text }>,
): Statement<ParametersOf<Types>, RowOf<Of>, "sqlite"> => ({
  name: definition.name,
  sqlite: compile("sqlite", definition, definition.sql),
});

/** Defines a statement that only PostgreSQL runs. */
export const postgresqlStatement = <
  const Types extends ParameterTypes<"postgresql">,
  const Of extends Columns,
>(
  definition: Definition<Types, Of> & Readonly<{ sql: Text }>,
): Statement<ParametersOf<Types>, RowOf<Of>, "postgresql"> => ({
  name: definition.name,
  postgresql: compile("postgresql", definition, definition.sql),
});

/** Matches `:name`, but not the cast `::int`. */
const PARAMETER = /(?<!:):([a-z]\w*)/gi;

function compile<On extends Provider, Types extends ParameterTypes<On>, Of extends Columns>(
  provider: On,
  { name, parameters, columns }: Definition<Types, Of>,
  sql: Text,
): Compiled<ParametersOf<Types>, RowOf<Of>> {
  const names: string[] = [];
  const occurrences: number[] = [];
  const { expressions, literal, readers } = rowLiteral(provider, columns);
  // Each column has a unique alias, because some drivers return rows as objects.
  const aliased = expressions.map((expression, index) => `${expression} AS "c${index}"`);
  const text = sql(aliased.join(", ")).replace(PARAMETER, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    const index = names.indexOf(parameter);
    occurrences.push(index);
    return provider === "sqlite" ? "?" : `$${index + 1}`;
  });
  const writers = names.map((parameter) => {
    const type = parameters[parameter];
    if (type === undefined)
      throw new Error(`The statement ${name} does not declare its parameter ${parameter}.`);
    return type.write[provider] as Convert;
  });
  // SQLite binds a value to each occurrence of a parameter, and PostgreSQL binds a value to each parameter.
  // Each parameter value is converted only once.
  const bound = provider === "sqlite" ? occurrences : [...names.keys()];
  const converted = names.map((parameter, index) => `const v${index} = f[${index}](given.${parameter});`);
  return {
    text,
    values: generate(
      "given",
      `${converted.join(" ")} return [${bound.map((index) => `v${index}`)}];`,
      writers,
    ),
    // The generated function reads the same columns that define the type of the row.
    row: generate("stored", `return ${literal};`, readers),
  };
}

type Convert = (value: unknown) => unknown;

/**
 * Returns a JavaScript function that is generated once. The source code of the function contains only names
 * and numbers from the definition of the statement. With a generated function, V8 knows the shape of every
 * row, and reading a row is twenty times as fast as with a loop over names.
 * @param f the value that `body` accesses under the name `f`.
 */
const generate = <Argument, Result>(
  parameter: string,
  body: string,
  f: readonly Convert[],
): ((argument: Argument) => Result) => new Function("f", `return (${parameter}) => { ${body} }`)(f);

type RowLiteral = Readonly<{ expressions: string[]; literal: string; readers: Convert[] }>;

/**
 * Returns the expressions of columns in order, and the object literal of their values from column `start`
 * on.
 */
function rowLiteral(provider: Provider, columns: Columns, start = 0): RowLiteral {
  const expressions: string[] = [];
  const readers: Convert[] = [];
  const members = Object.entries(columns).map(([name, column]) => {
    const at = start + expressions.length;
    if (isColumn(column)) {
      expressions.push(column[0]);
      readers.push(column[1].read[provider]);
      return `${JSON.stringify(name)}: f[${at}](stored[${at}])`;
    }
    const nested = rowLiteral(provider, isOptional(column) ? column[OPTIONAL] : column, at);
    expressions.push(...nested.expressions);
    readers.push(...nested.readers);
    const literal = isOptional(column) ? `stored[${at}] === null ? null : ${nested.literal}` : nested.literal;
    return `${JSON.stringify(name)}: ${literal}`;
  });
  return { expressions, literal: `{ ${members.join(", ")} }`, readers };
}

type AnyColumn = Columns[string];
const isColumn = (column: AnyColumn): column is Column<unknown> => Array.isArray(column);
const isOptional = (column: Exclude<AnyColumn, Column<unknown>>): column is Optional<Columns> =>
  OPTIONAL in column;
