import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { startInstance } from "../instance.ts";
import {
  describeResponses,
  eventsSince,
  type Kind,
  type Outcome,
  openWorld,
  statusesOf,
  USUAL,
  untilReadiness,
  untilUsual,
  type World,
} from "./probes.ts";
import { milliseconds, record } from "./record.ts";

/** Runs `mount` or `umount`, which require the superuser. */
function mount(program: "mount" | "umount", ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

/** Runs a test with an instance whose data directory is on a 64 MB file system in memory. */
async function withSmallDisk(run: (world: World, folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-disk-"));
  mount("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder);
  try {
    const instance = await startInstance({ env: { DATA_DIR: folder } });
    try {
      await run(await openWorld(instance), folder);
    } finally {
      await instance.kill("SIGKILL");
      await instance.stop();
    }
  } finally {
    mount("umount", "-l", folder);
    rmSync(folder, { recursive: true });
  }
}

/** Writes into a file until no byte is free on the disk. */
function fill(file: string): void {
  const handle = openSync(file, "a");
  for (const size of [1 << 20, 4_096, 1])
    try {
      for (;;) writeSync(handle, Buffer.alloc(size));
    } catch {
      // The disk has no space for another block of `size` bytes.
    }
  closeSync(handle);
}

/**
 * The server checks once a second whether the disk is writable. The time limit of 1.5 s includes a margin for
 * the test itself.
 */
const NOT_READY_WITHIN_MS = 1_500;

const isWrite = (kind: Kind): boolean => kind === "rotation" || kind === "creation";

/**
 * Asserts that during a fault, writes get 503 and reads succeed, and that after the fault, writes also
 * succeed.
 */
async function expectOnlyWritesFail(
  world: World,
  fault: Readonly<{ name: string; failedCheck: string; during: () => unknown; end: () => unknown }>,
): Promise<void> {
  expect(statusesOf(await world.sendEach())).toEqual(USUAL);
  const { instance } = world;
  const processId = instance.processId();
  const logFrom = instance.log().length;
  await fault.during();
  const notReady = await untilReadiness(world, 503, NOT_READY_WITHIN_MS);
  expect(notReady.failed).toContain(fault.failedCheck);
  const repetitions: (readonly Outcome[])[] = [];
  for (let round = 0; round < 3; round++) {
    await fault.during();
    const outcomes = await world.sendEach();
    repetitions.push(outcomes);
    for (const { kind, status } of outcomes) expect(status, kind).toBe(isWrite(kind) ? 503 : USUAL[kind]);
  }
  const events = eventsSince(world, logFrom);
  expect(events).not.toEqual([]);
  const endedAt = performance.now();
  await fault.end();
  await untilUsual(world);
  const recovered = performance.now() - endedAt;
  await untilReadiness(world, 200, 10_000);
  expect(instance.processId()).toBe(processId);
  record({
    fault: fault.name,
    database: "SQLite",
    expected: "reads succeed, writes get 503, not ready within 1.5 s; ready again without a restart",
    responses: describeResponses(repetitions),
    readiness: `503 (${notReady.failed.join(", ")}) after ${milliseconds(notReady.after)}; liveness 200`,
    log: events.join(", "),
    recovery: `all requests after ${milliseconds(recovered)}, ready after ${milliseconds(performance.now() - endedAt)}`,
  });
}

test("while the disk is full, writes get 503 and reads succeed; after space is freed, writes succeed", () =>
  withSmallDisk((world, folder) =>
    expectOnlyWritesFail(world, {
      name: "disk full (tmpfs of 64 MB)",
      failedCheck: "disk_space",
      during: () => fill(join(folder, "filler")),
      end: () => rmSync(join(folder, "filler")),
    }),
  ));

/** Makes all folders below a folder immutable, so that even the superuser cannot create files in them. */
function setImmutable(folder: string, isImmutable: boolean): void {
  const change = isImmutable ? "+i" : "-i";
  const { status, stderr } = spawnSync("find", [folder, "-type", "d", "-exec", "chattr", change, "{}", "+"]);
  if (status !== 0) throw new Error(String(stderr));
}

test("while no file can be created in the data folder, only uploads and pushes get 503; afterwards, uploads succeed", async () => {
  const instance = await startInstance();
  try {
    const world = await openWorld(instance);
    const headers = { "private-token": world.token };
    const projects = `${instance.baseUrl}/api/v4/projects`;
    const body = new URLSearchParams({ name: "shop", initialize_with_readme: "true" });
    const { id } = (await (await fetch(projects, { method: "POST", body, headers })).json()) as {
      id: number;
    };
    let number = 0;
    const upload = () =>
      fetch(`${projects}/${id}/packages/generic/tool/1.0/${number++}.bin`, {
        method: "PUT",
        headers,
        body: Buffer.alloc(10_000, 1),
      });
    const branch = () =>
      fetch(`${projects}/${id}/repository/branches?branch=b${number++}&ref=main`, {
        method: "POST",
        headers,
      });
    const statuses = async () => [(await upload()).status, (await branch()).status];
    expect(await statuses()).toEqual([201, 201]);
    const logFrom = instance.log().length;
    setImmutable(instance.dataDir, true);
    const notReady = await untilReadiness(world, 503, NOT_READY_WITHIN_MS);
    expect(notReady.failed).toEqual(["storage"]);
    expect(statusesOf(await world.sendEach())).toEqual(USUAL);
    for (const response of [await upload(), await branch()]) {
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await response.text()).toContain("read-only");
    }
    const events = eventsSince(world, logFrom);
    expect(events).not.toEqual([]);
    setImmutable(instance.dataDir, false);
    const endedAt = performance.now();
    await expect.poll(statuses, { timeout: 10_000 }).toEqual([201, 201]);
    await untilReadiness(world, 200, 10_000);
    record({
      fault: "data folder read-only (no file can be created)",
      database: "SQLite",
      expected:
        "uploads and pushes get 503, other requests succeed, not ready within 1.5 s; ready again without a restart",
      responses: "read, page, rotation, creation: success; upload, new branch: 503",
      readiness: `503 (${notReady.failed.join(", ")}) after ${milliseconds(notReady.after)}; liveness 200`,
      log: events.join(", "),
      recovery: `uploads and ready after ${milliseconds(performance.now() - endedAt)}`,
    });
  } finally {
    setImmutable(instance.dataDir, false);
    await instance.stop();
  }
});

test("while another process holds the lock of the SQLite file, writes get 503 and reads succeed; after the lock is released, writes succeed", async () => {
  const instance = await startInstance();
  try {
    const world = await openWorld(instance);
    const other = new Database(join(instance.dataDir, "gatehouse.db"));
    const logFrom = instance.log().length;
    other.exec("BEGIN IMMEDIATE");
    const outcomes = await world.sendEach();
    for (const { kind, status } of outcomes) expect(status, kind).toBe(isWrite(kind) ? 503 : USUAL[kind]);
    const ready = await untilReadiness(world, 200, 2_000);
    const events = eventsSince(world, logFrom);
    expect(events).not.toEqual([]);
    other.exec("ROLLBACK");
    other.close();
    const recovered = await untilUsual(world);
    record({
      fault: "database file locked by another process",
      database: "SQLite",
      expected: "reads succeed, writes get 503, ready; no restart",
      responses: describeResponses([outcomes]),
      readiness: `200 in ${milliseconds(ready.after)}; liveness 200`,
      log: events.join(", "),
      recovery: `all requests after ${milliseconds(recovered)}`,
    });
  } finally {
    await instance.stop();
  }
});
