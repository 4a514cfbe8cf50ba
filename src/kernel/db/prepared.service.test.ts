import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { afterThisFile } from "@/testing/release.ts";
import { flag, integer, integers, nullable, text, time } from "./column-types.ts";
import { openDatabase } from "./open.ts";
import type { PreparedWrite } from "./prepared.ts";
import { optional, statement, withList } from "./statement.ts";

// Both databases must interpret times as UTC, not in the time zone of the machine.
beforeAll(() => void vi.stubEnv("TZ", "America/New_York"));
afterAll(() => void vi.unstubAllEnvs());

const { db, prepared, transaction, config } = await openTestDatabase();
const types = config.provider === "sqlite" ? ["TEXT", "INTEGER"] : ["TIMESTAMP(3)", "BOOLEAN"];
await db.$executeRawUnsafe(
  `CREATE TABLE "Entry" ("id" INTEGER PRIMARY KEY, "name" TEXT, "at" ${types[0]} NOT NULL, "open" ${types[1]} NOT NULL)`,
);

const AT = new Date("2026-07-21T12:30:00.123Z");
const FIND = statement({
  name: "entry",
  parameters: { id: integer, at: time },
  columns: {
    id: [`e."id"`, integer],
    name: [`e."name"`, nullable(text)],
    state: { open: [`e."open"`, flag], since: { at: [`e."at"`, time] } },
    same: [`e."at" = :at`, flag],
  },
  sql: (columns) => `SELECT ${columns} FROM "Entry" e WHERE e."id" >= :id ORDER BY e."id"`,
});
const ADD = statement({
  name: "add_entry",
  parameters: { id: integer, name: nullable(text), at: time, open: flag },
  columns: {},
  sql: () => `INSERT INTO "Entry" ("id", "name", "at", "open") VALUES (:id, :name, :at, :open)`,
});
type Entry = Readonly<{ id: number; name: string | null; at: Date; open: boolean }>;
const entry = (id: number, change: Partial<Entry> = {}): Entry => ({
  id,
  name: null,
  at: AT,
  open: false,
  ...change,
});

const groups: number[] = [];
/** Adds an entry if its field `open` is true. */
const ADD_OPEN: PreparedWrite<Entry> = {
  name: "add_open",
  sqlite: { each: (session, write) => write.open && session.run(ADD, write) === 1 },
  postgresql: {
    connections: 2,
    transaction: async (session, write) => {
      await session.run(ADD, write);
      return write.open;
    },
  },
};
const ADD_GROUP: PreparedWrite<Entry> = {
  name: "add_group",
  sqlite: {
    turns: 2,
    group: (session, writes) => {
      groups.push(writes.length);
      return writes.map((write) => session.run(ADD, write) === 1);
    },
  },
  postgresql: {
    group: async (session, writes) => {
      groups.push(writes.length);
      const done: boolean[] = [];
      for (const write of writes) done.push((await session.run(ADD, write)) === 1);
      return done;
    },
  },
};

beforeEach(async () => {
  await db.$executeRawUnsafe(`DELETE FROM "Entry"`);
  groups.length = 0;
});

describe("a lookup", () => {
  it("a lookup returns the named columns, including times, booleans and nested objects", async () => {
    await prepared.write(ADD_GROUP, entry(1, { name: "first", open: true }));
    await prepared.write(ADD_GROUP, entry(2));
    const find = { id: 1, at: AT };
    const since = { at: AT };
    const rows = [
      { id: 1, name: "first", state: { open: true, since }, same: true },
      { id: 2, name: null, state: { open: false, since }, same: true },
    ];
    expect(await prepared.all(FIND, find)).toEqual(rows);
    expect(await prepared.first(FIND, find)).toEqual(rows[0]);
    expect(await prepared.first(FIND, { id: 3, at: AT })).toBeNull();
  });

  it("a lookup returns the rows that another process has changed and committed", async () => {
    const other = await openDatabase(config);
    afterThisFile(other.close);
    expect(await prepared.first(FIND, { id: 1, at: AT })).toBeNull();
    await other.prepared.write(ADD_GROUP, entry(1));
    expect(await prepared.first(FIND, { id: 1, at: AT })).toMatchObject({ id: 1 });
  });
});

describe("a prepared statement", () => {
  it("each prepared statement must have a unique name", async () => {
    const namesake = statement({
      name: "entry",
      parameters: {},
      columns: { n: ["1", integer] },
      sql: (n) => `SELECT ${n}`,
    });
    await prepared.first(FIND, { id: 1, at: AT });
    await expect(async () => prepared.first(namesake, {})).rejects.toThrow(/entry/);
  });

  it("a prepared statement must declare every parameter in the text of the statement", () => {
    expect(() => statement({ name: "x", parameters: {}, columns: {}, sql: () => "SELECT :id" })).toThrow(
      /parameter id/,
    );
  });
});

/** Returns the entries with the given ids, each with the entry that follows it. */
const AMONG = statement({
  name: "entries_among",
  parameters: { ids: integers },
  columns: {
    id: [`e."id"`, integer],
    next: optional({ id: [`n."id"`, integer], name: [`n."name"`, nullable(text)], at: [`n."at"`, time] }),
  },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "Entry" e LEFT JOIN "Entry" n ON n."id" = e."id" + 1
    WHERE ${isIn(`e."id"`, ":ids")} ORDER BY e."id"`,
  ),
});

describe("a statement with a list as a parameter", () => {
  it("a statement with a list returns the rows whose ids are in the list, with null for a joined row that does not exist", async () => {
    for (const id of [1, 2, 3]) await prepared.write(ADD_GROUP, entry(id));
    const expected = [
      { id: 1, next: { id: 2, name: null, at: AT } },
      { id: 3, next: null },
    ];
    expect(await prepared.all(AMONG, { ids: [3, 1, 9] })).toEqual(expected);
    expect(await prepared.all(AMONG, { ids: [] })).toEqual([]);
  });
});

describe("a statement inside of a transaction", () => {
  it("a statement inside of a transaction returns the rows that the transaction has changed, and returns the same rows after the commit", async () => {
    await prepared.write(ADD_GROUP, entry(1, { name: "first", open: true }));
    const inside = await transaction(async (db, reads) => {
      await db.$executeRawUnsafe(`UPDATE "Entry" SET "name" = 'changed'`);
      expect(await prepared.first(FIND, { id: 1, at: AT })).toMatchObject({ name: "first" });
      return [await reads.all(FIND, { id: 1, at: AT }), await reads.all(AMONG, { ids: [1] })];
    });
    expect(inside).toEqual([
      [{ id: 1, name: "changed", state: { open: true, since: { at: AT } }, same: true }],
      [{ id: 1, next: null }],
    ]);
    expect([await prepared.all(FIND, { id: 1, at: AT }), await prepared.all(AMONG, { ids: [1] })]).toEqual(
      inside,
    );
  });
});

describe("prepared writes", () => {
  it("prepared writes that wait simultaneously share a commit", async () => {
    const all = await Promise.all([1, 2, 3, 4].map((id) => prepared.write(ADD_GROUP, entry(id))));
    expect(all).toEqual([true, true, true, true]);
    expect(groups).toEqual([4]);
  });

  it("a prepared write succeeds even if another write of the same group fails", async () => {
    const writes = [entry(1), entry(2, { at: new Date(Number.NaN) }), entry(3)];
    const outcomes = await Promise.allSettled(writes.map((write) => prepared.write(ADD_GROUP, write)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await prepared.all(FIND, { id: 0, at: AT })).map(({ id }) => id)).toEqual([1, 3]);
  });

  it("a prepared write changes nothing if the condition of the write is not met", async () => {
    const writes = [entry(1, { open: true }), entry(2), entry(3, { open: true })];
    expect(await Promise.all(writes.map((write) => prepared.write(ADD_OPEN, write)))).toEqual([
      true,
      false,
      true,
    ]);
    expect((await prepared.all(FIND, { id: 0, at: AT })).map(({ id }) => id)).toEqual([1, 3]);
  });
});
