import type { DatabaseConfig } from "../config/config.ts";

export type Provider = DatabaseConfig["provider"];

/**
 * The conversion of the stored values of a column, because the two drivers represent times and booleans
 * differently.
 */
export type ReadType<Value> = Readonly<{ read: Readonly<Record<Provider, (stored: unknown) => Value>> }>;

/** The conversion of the values of a parameter to stored values. */
export type WriteType<Value, On extends Provider = Provider> = Readonly<{
  write: Readonly<Record<On, (value: Value) => unknown>>;
}>;

export type ColumnType<Value> = ReadType<Value> & WriteType<Value>;

/** Returns a type whose values are the same in JavaScript and in both drivers. */
function plain<Value>(read: (stored: unknown) => Value): ColumnType<Value> {
  const write = (value: Value): unknown => value;
  return { read: { sqlite: read, postgresql: read }, write: { sqlite: write, postgresql: write } };
}

const wrongType = (stored: unknown): TypeError =>
  new TypeError(`A column contains a value of the unexpected type ${typeof stored}.`);

export const integer = plain((stored) => {
  if (typeof stored !== "number") throw wrongType(stored);
  return stored;
});

export const text = plain((stored) => {
  if (typeof stored !== "string") throw wrongType(stored);
  return stored;
});

export const flag: ColumnType<boolean> = {
  read: { sqlite: (stored) => stored === 1, postgresql: (stored) => stored === true },
  write: { sqlite: Number, postgresql: (value) => value },
};

/**
 * A time in UTC, which both databases exchange as text. The driver of PostgreSQL would write a `Date` in the
 * time zone of this machine. SQLite compares times as text, so a time is written exactly as Prisma's adapter
 * writes it.
 */
export const time: ColumnType<Date> = {
  read: {
    sqlite: (stored) => new Date(text.read.sqlite(stored)),
    postgresql: (stored) => new Date(`${text.read.postgresql(stored).replace(" ", "T")}Z`),
  },
  write: {
    sqlite: (value) => `${value.toISOString().slice(0, -1)}+00:00`,
    postgresql: (value) => value.toISOString(),
  },
};

export function nullable<Value>({ read, write }: ColumnType<Value>): ColumnType<Value | null> {
  const readOn = (provider: Provider) => (stored: unknown) =>
    stored === null ? null : read[provider](stored);
  const writeOn = (provider: Provider) => (value: Value | null) =>
    value === null ? null : write[provider](value);
  return {
    read: { sqlite: readOn("sqlite"), postgresql: readOn("postgresql") },
    write: { sqlite: writeOn("sqlite"), postgresql: writeOn("postgresql") },
  };
}

/**
 * Returns the type of a list that is passed as one parameter. Only PostgreSQL supports a list as one
 * parameter.
 */
export const listOf = <Value>({
  write,
}: WriteType<Value, "postgresql">): WriteType<readonly Value[], "postgresql"> => ({
  write: { postgresql: (values) => values.map(write.postgresql) },
});

/** Returns the type of a list that is passed as one parameter, for `withList`. */
const list = <Value extends number | string>(): WriteType<readonly Value[]> => ({
  write: { sqlite: (values) => JSON.stringify(values), postgresql: (values) => [...values] },
});

export const integers = list<number>();
export const texts = list<string>();
