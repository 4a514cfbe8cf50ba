import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { buildProgram } from "@/testing/program.ts";
import { insertUser } from "@/testing/rows.ts";
import { openDatabase } from "./open.ts";

const { config, db, transaction } = await openTestDatabase();

function signal() {
  let fulfill = () => {};
  const fulfilled = new Promise<void>((resolve) => {
    fulfill = resolve;
  });
  return { fulfill, fulfilled };
}

/** If the connection is broken, the server has already rolled the transaction back. */
async function openTransaction(username: string) {
  const written = signal();
  const resumed = signal();
  const end = transaction(async (inside) => {
    await insertUser(inside, username);
    written.fulfill();
    await resumed.fulfilled;
    throw new Error("rolled back by the test");
  }).catch((error: Error) => error.message);
  await written.fulfilled;
  return {
    rollBack: () => {
      resumed.fulfill();
      return end;
    },
  };
}

const usernames = async () => (await db.user.findMany()).map((user) => user.username);

describe("two simultaneous requests of one process", () => {
  it("the write of one request is kept when the transaction of another request is rolled back", async () => {
    const { rollBack } = await openTransaction("undone");
    const write = insertUser(db, "kept");
    // A write that does not wait for the mutex would be completed during this pause.
    await pause(20);
    expect(await rollBack()).toBe("rolled back by the test");
    const acknowledged = await write;
    expect(await db.user.findUnique({ where: { id: acknowledged.id } })).toMatchObject({ username: "kept" });
    expect(await usernames()).not.toContain("undone");
  });

  it("simultaneous requests read only committed rows, and do not wait when they read", async () => {
    const { rollBack } = await openTransaction("unseen");
    expect(await usernames()).not.toContain("unseen");
    await rollBack();
  });

  it("simultaneous transactions that first read and then write run one after the other", async () => {
    const user = await insertUser(db, "counter");
    const countOn = () =>
      transaction(async (inside) => {
        const { name } = await inside.user.findUniqueOrThrow({ where: { id: user.id } });
        await pause(1);
        await inside.user.update({ where: { id: user.id }, data: { name: `${name}+` } });
      });
    await Promise.all(Array.from({ length: 20 }, countOn));
    expect(await db.user.findUnique({ where: { id: user.id } })).toMatchObject({
      name: `counter${"+".repeat(20)}`,
    });
  });
});

describe("two processes", () => {
  it("when the transactions of two processes first read and then write, all of the transactions succeed", async () => {
    await db.instance.create({ data: { id: 1, secretCheck: "0", createdAt: new Date(0) } });
    const count = await buildProgram("count");
    const runs = await Promise.all([1, 2].map(() => count(JSON.stringify(config), "80")));
    expect(runs).toEqual([{ failures: 0 }, { failures: 0 }]);
    expect(await db.instance.findUnique({ where: { id: 1 } })).toMatchObject({ secretCheck: "160" });
  });
});

describe("a transaction", () => {
  it("a transaction cannot be committed after one of its statements failed", async () => {
    await insertUser(db, "taken");
    const attempt = transaction(async (inside) => {
      await insertUser(inside, "first");
      await insertUser(inside, "taken").catch(() => undefined);
    });
    await expect(attempt).rejects.toThrow();
    expect(await usernames()).not.toContain("first");
    expect(await insertUser(db, "next")).toMatchObject({ username: "next" });
  });
});

describe("a database file", () => {
  it("a database file is opened with settings that preserve acknowledged writes in a power failure", async () => {
    // A statement other than SELECT runs on the connection for writes.
    const read = async (pragma: string) =>
      Object.values((await db.$queryRawUnsafe<object[]>(pragma))[0] ?? {});
    expect(await read("PRAGMA journal_mode")).toEqual(["wal"]);
    expect((await read("PRAGMA synchronous")).map(Number)).toEqual([2]);
    expect((await read("PRAGMA foreign_keys")).map(Number)).toEqual([1]);
  });

  it("a database file is created with permissions only for its owner", async () => {
    const folder = join(temporaryFolder(), "data");
    const database = await openDatabase({ provider: "sqlite", file: join(folder, "gatehouse.db") });
    await database.close();
    expect((statSync(folder).mode & 0o777).toString(8)).toBe("700");
    expect((statSync(join(folder, "gatehouse.db")).mode & 0o777).toString(8)).toBe("600");
  });
});
