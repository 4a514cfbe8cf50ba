import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openTestDatabase } from "@/testing/database.ts";
import { ADD_ENTRIES, CREATE_ENTRIES, type Entries } from "@/testing/entries.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { buildProgram } from "@/testing/program.ts";
import { afterThisFile } from "@/testing/release.ts";
import { insertUser } from "@/testing/rows.ts";
import { isUnavailable } from "./errors.ts";
import { openDatabase } from "./open.ts";
import type { PreparedWrite } from "./prepared.ts";
import { WriterThreadEnded } from "./writer-thread.ts";

const { config, db } = await openTestDatabase();
if (config.provider !== "sqlite") throw new Error("Only SQLite has a thread that writes.");
const { file } = config;
await db.$executeRawUnsafe(CREATE_ENTRIES);

const { file: writerThread } = await buildProgram("writer-thread");
const open = () => openDatabase(config, { writerThread });
const threaded = await open();
afterThisFile(threaded.close);

const add = (entries: Entries) => threaded.prepared.write(ADD_ENTRIES, entries);
const addAll = (ids: readonly number[]) => Promise.all(ids.map((id) => add({ id })));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** Returns the ids of the stored writes, after a check that both rows of each write are stored. */
async function storedIds(): Promise<readonly number[]> {
  const rows = await db.$queryRawUnsafe<{ id: unknown }[]>(`SELECT "id" FROM "Entry" ORDER BY "id"`);
  const ids = rows.map(({ id }) => Number(id));
  const stored = ids.filter((id) => id > 0);
  expect(ids.filter((id) => id < 0)).toEqual(stored.map((id) => -id).reverse());
  return stored;
}

beforeEach(async () => {
  await db.$executeRawUnsafe(`DELETE FROM "Entry"`);
});

describe("the writer thread", () => {
  it("the writer thread returns the result of each write after the commit", async () => {
    expect(await addAll([1, 2, 3])).toEqual([1, 2, 3]);
    expect(await storedIds()).toEqual([1, 2, 3]);
  });

  it("the writer thread reports the error code of a write that the database refuses, and stores the other writes of the group", async () => {
    await add({ id: 2 });
    const results = await Promise.allSettled([1, 2, 3].map((id) => add({ id })));
    expect(results).toMatchObject([
      { value: 1 },
      { reason: { code: "SQLITE_CONSTRAINT_PRIMARYKEY" } },
      { value: 3 },
    ]);
    expect(await storedIds()).toEqual([1, 2, 3]);
  });

  it("the writer thread waits for a transaction of the same process, and both the transaction and the write are stored", async () => {
    let write: Promise<unknown> = Promise.resolve();
    await threaded.transaction(async (inside) => {
      write = add({ id: 1 });
      await insertUser(inside, "first");
      expect(await storedIds()).toEqual([]);
    });
    expect(await write).toBe(1);
    expect(await db.user.count({ where: { username: "first" } })).toBe(1);
  });

  it("the writer thread writes while the same process and another connection also write to the database", async () => {
    const names = range(1, 20).map((number) => `user${number}`);
    const transactions = names.map((name) => threaded.transaction((inside) => insertUser(inside, name)));
    const others = names.map((name) => insertUser(db, `other-${name}`));
    const writes = Array.from({ length: 20 }, async (_, at) => {
      for (const id of range(at * 5 + 1, at * 5 + 5)) await add({ id });
    });
    await Promise.all([...transactions, ...others, ...writes]);
    expect(await storedIds()).toEqual(range(1, 100));
    expect(await db.user.count({ where: { username: { contains: "user" } } })).toBe(40);
  });

  it("the writer thread refuses a write whose kind is not registered in the thread", async () => {
    const unlisted: PreparedWrite<Entries, number> = { ...ADD_ENTRIES, name: "unlisted" };
    await expect(threaded.prepared.write(unlisted, { id: 1 })).rejects.toThrow(/unlisted/);
    expect(await add({ id: 1 })).toBe(1);
  });
});

describe("a thread that ends in the middle of a group", () => {
  it("if the writer thread ends in the middle of a group, no write of the group is stored, and each write fails with an error that allows a retry", async () => {
    await addAll([1, 2]);
    const results = await Promise.allSettled([
      add({ id: 3 }),
      add({ id: 4, ends: "thread" }),
      add({ id: 5 }),
    ]);
    const reasons = results.map((result) => (result.status === "rejected" ? result.reason : null));
    for (const reason of reasons) expect(reason).toBeInstanceOf(WriterThreadEnded);
    expect(reasons.map((reason) => isUnavailable(reason))).toEqual([true, true, true]);
    expect(await storedIds()).toEqual([1, 2]);
  });

  it("a writer thread that has ended is replaced for the next write", async () => {
    await expect(add({ id: 1, ends: "thread" })).rejects.toThrow(/thread/);
    expect(await addAll([1, 2])).toEqual([1, 2]);
    expect(await storedIds()).toEqual([1, 2]);
  });

  it("a writer thread that has ended is replaced for a write that was already waiting", async () => {
    const first = add({ id: 1, ends: "thread" });
    const second = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(add({ id: 2 })))));
    await expect(first).rejects.toThrow(/thread/);
    expect(await second).toBe(2);
    expect(await storedIds()).toEqual([2]);
  });
});

describe("a process that is killed in the middle of a group", () => {
  it("a killed process has stored exactly the confirmed writes", async () => {
    const { file: program } = await buildProgram("killed-writes");
    // The standard output is a file, because a write to a pipe can fail with EAGAIN on a busy machine.
    const output = join(temporaryFolder(), "confirmed");
    const descriptor = openSync(output, "w");
    const { stderr, signal } = spawnSync(process.execPath, [program, file, writerThread], {
      encoding: "utf8",
      stdio: ["ignore", descriptor, "pipe"],
    });
    closeSync(descriptor);
    expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
    const confirmed = readFileSync(output, "utf8").split("\n").filter(Boolean).map(Number);
    expect(confirmed).toHaveLength(19 * 16);
    expect(await storedIds()).toEqual(confirmed.sort((a, b) => a - b));
    expect(await add({ id: 1 })).toBe(1);
  });
});

describe("closing a database with a thread", () => {
  it("closing a database waits for the pending writes, and refuses later writes", async () => {
    const database = await open();
    const write = database.prepared.write(ADD_ENTRIES, { id: 1 });
    // The group of writes acquires the mutex in the next iteration of the event loop.
    await new Promise(setImmediate);
    await database.close();
    expect(await write).toBe(1);
    await expect(database.prepared.write(ADD_ENTRIES, { id: 2 })).rejects.toThrow("The database is closed.");
    expect(await storedIds()).toEqual([1]);
  });
});
