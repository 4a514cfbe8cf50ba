import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { type Instance, startInstance } from "../instance.ts";
import { type Counts, openWriters, type Writers } from "./acknowledged.ts";
import { childrenOf, type DatabaseServer, processesIn, startDatabaseServer } from "./database-server.ts";
import { milliseconds, type Observation, record } from "./record.ts";

/** The number of kills on each database, and the time after which no more kills begin. */
const KILLS = Number(process.env["FAULTS_KILLS"] ?? 100);
const MINUTES = Number(process.env["FAULTS_KILL_MINUTES"] ?? 20);
/** Every fifth kill on PostgreSQL also ends the database server. */
const DATABASE_CRASH_EVERY = 5;
/**
 * Every fourth kill follows soon after the start of the server. Before every other kill, the test waits for
 * an acknowledged write of each kind.
 */
const EARLY_EVERY = 4;
/** The test fails if the server does not acknowledge a write of each kind within this time. */
const LOADED_WITHIN_MS = 60_000;

type Loop = Readonly<{ instance: Instance; server: DatabaseServer | null; writers: Writers }>;

/** Repeatedly kills the server under load. After each start, checks that every acknowledged write exists. */
export async function killUnderLoad(database: Observation["database"]): Promise<void> {
  const server = database === "PostgreSQL" ? await startDatabaseServer() : null;
  const env = server === null ? {} : { DATABASE_URL: server.url, GATEHOUSE_SECRET: "x".repeat(32) };
  const instance = await startInstance({ env });
  const writers = await openWriters(instance);
  const starts: number[] = [];
  let crashes = 0;
  const endsAt = performance.now() + MINUTES * 60_000;
  try {
    for (let kill = 1; kill <= KILLS && performance.now() < endsAt; kill++) {
      const crashing = kill % DATABASE_CRASH_EVERY === 0 && server !== null;
      await killOnce({ instance, server: crashing ? server : null, writers }, kill % EARLY_EVERY === 0);
      if (crashing) crashes += 1;
      const startedAt = performance.now();
      await instance.restart();
      starts.push(performance.now() - startedAt);
      await writers.verify();
      if (kill % 5 === 0)
        process.stdout.write(`${database}: ${kill} kills, ${JSON.stringify(writers.counts)}\n`);
    }
    await writers.verify(true);
    await expectSound(instance);
  } finally {
    writers.close();
    await instance.stop();
    await server?.remove();
  }
  const acknowledged = Object.entries(writers.counts).map(([kind, count]) => `${count} ${kind}`);
  const crashed = crashes === 0 ? "" : ` (${crashes} of them together with the database server)`;
  const mean = starts.reduce((sum, start) => sum + start, 0) / starts.length;
  record({
    fault: "server killed under load (SIGKILL)",
    database,
    expected:
      "every acknowledged write exists after the start, the audit trail is complete, no process of Git is left",
    responses: `${starts.length} kills${crashed}: ${acknowledged.join(", ")} acknowledged, none lost; ${writers.refused()} requests got 503`,
    readiness: "no response until the start",
    log: "not checked",
    recovery: `started again by the test: ready after ${milliseconds(mean)} on average, at most ${milliseconds(Math.max(...starts))}`,
  });
}

/**
 * Puts the server under load, and kills the server. If the instance has a database server, also kills and
 * restarts the database server.
 */
async function killOnce({ instance, server, writers }: Loop, isEarly: boolean): Promise<void> {
  let isOver = false;
  const before = { ...writers.counts };
  const writing = writers.write(() => isOver);
  const kinds = isEarly ? (["rotations"] as const) : (Object.keys(before) as (keyof Counts)[]);
  const missing = () => kinds.filter((kind) => writers.counts[kind] === before[kind]);
  const deadline = performance.now() + LOADED_WITHIN_MS;
  while (missing().length > 0) {
    if (performance.now() > deadline) throw new Error(`No acknowledged write: ${missing().join(", ")}.`);
    await Promise.race([pause(5), writing]);
  }
  await pause(randomInt(400));
  isOver = true;
  await Promise.all([instance.kill("SIGKILL"), server?.crash()]);
  await writing;
  await server?.start();
}

/**
 * Asserts that the commands that check the audit events and the database find no errors, and that no Git
 * process is running.
 */
async function expectSound(instance: Instance): Promise<void> {
  const audit = await instance.cli("audit", "verify");
  expect(audit.code, audit.stderr + audit.stdout).toBe(0);
  const doctor = await instance.cli("doctor");
  expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0);
  const repositories = join(instance.dataDir, "repositories");
  // The running server has Git processes that read Git objects for several requests.
  const leftOver = () => {
    const own = childrenOf(instance.processId());
    return processesIn(repositories).filter((id) => !own.includes(id));
  };
  await expect.poll(leftOver, { timeout: 10_000 }).toEqual([]);
}
