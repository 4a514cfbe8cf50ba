import { expect, it, vi } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { insertUser } from "@/testing/rows.ts";
import { integer, text } from "./column-types.ts";
import { derivedFrom } from "./derived.ts";
import { statement } from "./statement.ts";

const { db, prepared, transaction } = await openTestDatabase();

const COLUMNS = { id: [`"id"`, integer], name: [`"name"`, text] } as const;
const sql = (columns: string) => `SELECT ${columns} FROM "User" WHERE "username" = :username`;
const CACHED = statement({
  name: "cached",
  isCached: true,
  parameters: { username: text },
  columns: COLUMNS,
  sql,
});
const PLAIN = statement({ name: "plain", parameters: { username: text }, columns: COLUMNS, sql });

const ann = await insertUser(db, "ann");
await insertUser(db, "bob");
const find = { username: "ann" };

const rename = (name: string) => db.user.update({ where: { id: ann.id }, data: { name } });

it("a lookup with isCached returns the stored rows while the database is unchanged", async () => {
  const rows = await prepared.all(CACHED, find);
  expect(rows).toMatchObject([{ id: ann.id }]);
  expect(await prepared.all(CACHED, find)).toBe(rows);
  expect(await prepared.first(CACHED, find)).toBe(rows[0]);
});

it("a lookup with isCached returns the same array after a commit that does not change the rows of the array", async () => {
  const rows = await prepared.all(CACHED, find);
  await db.user.update({ where: { usernameLower: "bob" }, data: { name: "Robert" } });
  expect(await prepared.all(CACHED, find)).toBe(rows);
  await rename("Anna");
  expect(await prepared.all(CACHED, find)).not.toBe(rows);
});

it("a value that is derived from stored rows is created again after the rows change", async () => {
  const derive = vi.fn((rows: readonly { name: string }[]) => rows.map(({ name }) => name).join());
  const derived = async () => derivedFrom(await prepared.all(CACHED, find), derive);
  await rename("one");
  expect(await derived()).toBe("one");
  expect(await derived()).toBe("one");
  expect(derive).toHaveBeenCalledTimes(1);
  await rename("two");
  expect(await derived()).toBe("two");
});

it("a lookup without isCached reads the rows each time", async () => {
  const rows = await prepared.all(PLAIN, find);
  expect(await prepared.all(PLAIN, find)).not.toBe(rows);
});

it("a lookup with isCached stores a separate result for each set of parameters", async () => {
  expect(await prepared.first(CACHED, find)).toMatchObject({ id: ann.id });
  expect(await prepared.first(CACHED, { username: "bob" })).not.toMatchObject({ id: ann.id });
  expect(await prepared.first(CACHED, { username: "nobody" })).toBeNull();
});

it("after a commit by another connection, a lookup with isCached immediately returns the changed rows", async () => {
  for (const name of ["first", "second", "third"]) {
    await rename(name);
    expect(await prepared.first(CACHED, find)).toMatchObject({ name });
  }
});

it("a lookup with isCached returns the rows that a transaction writes only after the transaction is committed", async () => {
  await rename("before");
  await transaction(async (inside) => {
    await inside.user.update({ where: { id: ann.id }, data: { name: "after" } });
    expect(await prepared.first(CACHED, find)).toMatchObject({ name: "before" });
  });
  expect(await prepared.first(CACHED, find)).toMatchObject({ name: "after" });
});

it("the cache stores a limited number of results", async () => {
  const rows = await prepared.all(CACHED, find);
  for (let number = 0; number < 1_000; number++) await prepared.all(CACHED, { username: `user${number}` });
  expect(await prepared.all(CACHED, find)).not.toBe(rows);
});
