import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "@/kernel/db/open.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { ADD_ENTRIES, CREATE_ENTRIES } from "@/testing/entries.ts";
import { buildProgram } from "@/testing/program.ts";
import { afterThisFile } from "@/testing/release.ts";
import { collectMetrics, getMetrics } from "./metrics.ts";

const deps = await openTestDeps();
const { database } = deps.config;
if (database.provider !== "sqlite") throw new Error("Only SQLite has a thread that writes.");
const TOKEN = "a-token-of-the-operator";
provideDeps({ ...deps, config: { ...deps.config, metrics: { token: TOKEN, allowed: null } } });

const other = new Sqlite(database.file);
other.exec(CREATE_ENTRIES);
afterThisFile(() => other.close());

const { file: writerThread } = await buildProgram("writer-thread");
const threaded = await openDatabase(database, { writerThread, transactionMs: 240_000 });
afterThisFile(threaded.close);

let lastId = 0;
const add = () => threaded.prepared.write(ADD_ENTRIES, { id: ++lastId });

/** Returns the value of a time series without labels in the response of `/-/metrics`. */
async function metricValue(series: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const text = await (await getMetrics(new Request("http://localhost/-/metrics", { headers }))).text();
  const [, value] = new RegExp(`^${series} (\\S+)$`, "m").exec(text) ?? [];
  if (value === undefined) throw new Error(`The metrics do not contain ${series}.`);
  return Number(value);
}

beforeEach(async () => {
  await collectMetrics();
  // The first write starts the thread.
  await add();
});

it("the metrics count the retries of the writer thread while another connection holds the lock of SQLite", async () => {
  const retries = () => metricValue("gatehouse_database_busy_retries_total");
  expect(await retries()).toBe(0);
  // On a busy machine, the thread may make its first attempt after a short lock has been released.
  for (let milliseconds = 20; (await retries()) === 0 && milliseconds < 2_000; milliseconds *= 2) {
    other.exec("BEGIN IMMEDIATE");
    const write = add();
    await pause(milliseconds);
    other.exec("COMMIT");
    expect(await write).toBe(lastId);
  }
  expect(await retries()).toBeGreaterThan(0);

  const counted = await retries();
  await add();
  expect(await retries()).toBe(counted);
});

it("the metrics contain the time for which a write waited in the queue of the writer thread", async () => {
  const count = () => metricValue("gatehouse_database_write_wait_seconds_count");
  const seconds = () => metricValue("gatehouse_database_write_wait_seconds_sum");
  const before = { count: await count(), seconds: await seconds() };
  let write: Promise<unknown> = Promise.resolve();
  await threaded.transaction(async () => {
    write = Promise.all([add(), add()]);
    await pause(50);
  });
  await write;
  expect(await count()).toBe(before.count + 1);
  expect((await seconds()) - before.seconds).toBeGreaterThan(0.04);
});
