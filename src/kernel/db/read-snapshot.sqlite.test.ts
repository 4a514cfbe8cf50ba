import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, expect, it } from "vitest";
import { openDatabase } from "@/kernel/db/open.ts";
import { beginTurn, endTurn } from "@/kernel/process/request-turn.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { integer } from "./column-types.ts";
import type { PreparedWrite } from "./prepared.ts";
import { sqliteStatement, statement } from "./statement.ts";

const file = join(temporaryFolder(), "snapshot.db");
// The other connection stands for another process.
const other = new Sqlite(file);
other.pragma("journal_mode = WAL");
other.exec(`CREATE TABLE "Number" ("value" INTEGER); INSERT INTO "Number" VALUES (0)`);
const { db, prepared, transaction, close } = await openDatabase({ provider: "sqlite", file });

const COLUMNS = { value: [`"value"`, integer] } as const;
const sql = (columns: string) => `SELECT ${columns} FROM "Number"`;
const PLAIN = statement({ name: "plain", parameters: {}, columns: COLUMNS, sql });
const CACHED = statement({ name: "cached", isCached: true, parameters: {}, columns: COLUMNS, sql });
const UPDATE = sqliteStatement({
  name: "update",
  parameters: { value: integer },
  columns: {},
  sql: () => `UPDATE "Number" SET "value" = :value`,
});
const SET: PreparedWrite<number> = {
  name: "set",
  sqlite: { each: (session, value) => session.run(UPDATE, { value }) === 1 },
  postgresql: { connections: 1, statement: async () => true },
};

const setInOtherProcess = (value: number) => void other.exec(`UPDATE "Number" SET "value" = ${value}`);
/** Returns the value that a plain lookup and a stored lookup return, and fails if the values differ. */
async function value(): Promise<number | undefined> {
  const [plain, cached] = [await prepared.first(PLAIN, {}), await prepared.first(CACHED, {})];
  expect(plain).toEqual(cached);
  return plain?.value;
}

afterEach(endTurn);

it("all lookups of one turn return the same state of the database", async () => {
  setInOtherProcess(1);
  beginTurn();
  expect(await value()).toBe(1);
  setInOtherProcess(2);
  expect(await value()).toBe(1);
});

it("lookups of the next turn return the commits of other processes", async () => {
  setInOtherProcess(1);
  beginTurn();
  await value();
  setInOtherProcess(2);
  beginTurn();
  expect(await value()).toBe(2);
  setInOtherProcess(3);
  endTurn();
  beginTurn();
  expect(await value()).toBe(3);
});

it("outside of a turn, each lookup returns the commits of other processes", async () => {
  for (const number of [1, 2]) {
    setInOtherProcess(number);
    expect(await value()).toBe(number);
  }
});

it("a lookup after a group of writes of the same process returns the changes of the group", async () => {
  beginTurn();
  await value();
  await prepared.write(SET, 11);
  expect(await value()).toBe(11);
});

it.each([
  ["a query", () => db.$queryRawUnsafe(`SELECT "value" FROM "Number"`)],
  ["a statement that writes", () => db.$executeRawUnsafe(`UPDATE "Number" SET "value" = 21`)],
  [
    "a transaction",
    () =>
      transaction(
        async (within) => void (await within.$executeRawUnsafe(`UPDATE "Number" SET "value" = 21`)),
      ),
  ],
])("a lookup after %s of Prisma returns all commits before it", async (_name, run) => {
  beginTurn();
  await value();
  setInOtherProcess(21);
  await run();
  expect(await value()).toBe(21);
});

it("a lookup inside of a transaction of Prisma returns all commits before the transaction", async () => {
  beginTurn();
  await value();
  setInOtherProcess(31);
  await transaction(async () => expect(await value()).toBe(31));
});

it("a snapshot does not prevent the close of the database", async () => {
  beginTurn();
  await value();
  await close();
  endTurn();
  other.close();
});
