import { once } from "node:events";
import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createClockShift } from "../faults/clock-shift.ts";
import { type Instance, type Options, startInstance } from "../instance.ts";
import { cookieOf, newPair, requestTokens } from "./client.ts";
import { childrenOf, startDatabaseServer } from "./database-server.ts";
import { eventsSince, logLines, openWorld, statusesOf, USUAL, untilReadiness, untilUsual } from "./probes.ts";
import { milliseconds, record } from "./record.ts";

async function withInstance(options: Options, run: (instance: Instance) => Promise<void>): Promise<void> {
  const instance = await startInstance(options);
  try {
    await run(instance);
  } finally {
    await instance.stop();
  }
}

const preloaded = (name: string): string => `--import ${pathToFileURL(join(import.meta.dirname, name)).href}`;

const DAY_MS = 86_400_000;

test("requests succeed after the clock jumps a day forward and back, and tokens expire according to the new time", async () => {
  const clock = await createClockShift();
  await withInstance({ env: clock.env }, async (instance) => {
    const world = await openWorld(instance);
    const first = await newPair(instance, world.client, await cookieOf(instance));
    const statusOf = async (token: string): Promise<number> =>
      (await fetch(`${instance.baseUrl}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    const statuses: number[] = [];
    for (const shift of [0, DAY_MS, 0, -DAY_MS, 0]) {
      await clock.set(instance.processId(), shift);
      await untilUsual(world, 10_000);
      await untilReadiness(world, 200, 1_000);
      statuses.push(await statusOf(first.access_token));
    }
    expect(statuses).toEqual([200, 401, 200, 200, 200]);
    expect(logLines(world).filter(({ level = 0 }) => level >= 50)).toEqual([]);
    // The refresh token stays valid although its access token expired when the clock jumped.
    const form = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    await requestTokens(instance, { ...form, ...world.client });
    record({
      fault: "clock jumps a day forward, back, a day backward, and back",
      database: "SQLite",
      expected: "requests succeed at each time, ready, no error in the log; tokens expire by the new time",
      responses: "all requests succeed; an access token of two hours gets 401 only during the jump forward",
      readiness: "200 at each time",
      log: "no error",
      recovery: "immediate: refresh tokens work after each jump",
    });
  });
  await clock.remove();
});

/** Returns whether a request on a new connection gets a response. */
async function isServed(instance: Instance): Promise<boolean> {
  const request = get(`${instance.baseUrl}/-/liveness`, { agent: false, timeout: 2_000 });
  request.on("timeout", () => request.destroy());
  const response = await once(request, "response").catch(() => null);
  response?.[0].resume();
  return response !== null;
}

const OPEN_FILES_MAX = 128;

test("new connections wait while all file descriptors are in use, and are served after descriptors are freed", () =>
  withInstance({ openFilesMax: OPEN_FILES_MAX }, async (instance) => {
    const world = await openWorld(instance);
    const logFrom = instance.log().length;
    const { port } = new URL(instance.baseUrl);
    const sockets = await Promise.all(
      Array.from({ length: 300 }, async (): Promise<Socket> => {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => undefined).resume();
        await once(socket, "connect");
        return socket;
      }),
    );
    expect(await isServed(instance)).toBe(false);
    const freedAt = performance.now();
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => statusesOf(await world.sendEach().catch(() => [])), { timeout: 10_000 })
      .toEqual(USUAL);
    const recovered = performance.now() - freedAt;
    await untilReadiness(world, 200, 2_000);
    record({
      fault: `file descriptors exhausted (ulimit -n ${OPEN_FILES_MAX}, 300 silent connections)`,
      database: "SQLite",
      expected: "new connections wait; all requests within 10 s after descriptors are freed",
      responses: "new connections get no response",
      readiness: "no response",
      log: eventsSince(world, logFrom).join(", ") || "no warning",
      recovery: `all requests after ${milliseconds(recovered)}`,
    });
  }));

test("while the writer thread ends, requests succeed or get 503, and the next write starts a new thread", () =>
  withInstance({ env: { NODE_OPTIONS: preloaded("end-writer-thread.mjs") } }, async (instance) => {
    const world = await openWorld(instance);
    const logFrom = instance.log().length;
    let [succeeded, refused] = [0, 0];
    let slowest = 0;
    for (let round = 0; round < 20; round++) {
      const requests = world.sendEach();
      await pause(round);
      process.kill(instance.processId(), "SIGUSR2");
      for (const { kind, status } of await requests) {
        if (status === USUAL[kind]) succeeded += 1;
        else refused += 1;
      }
      const recovered = await untilUsual(world, 5_000);
      slowest = Math.max(slowest, recovered);
      await untilReadiness(world, 200, 1_000);
    }
    record({
      fault: "writer thread ended (20 times)",
      database: "SQLite",
      expected: "requests succeed or get 503; all requests within 5 s, ready; no restart",
      responses: `${succeeded} requests succeed, ${refused} get 503`,
      readiness: "200 after each recovery",
      log: eventsSince(world, logFrom).join(", ") || "no warning",
      recovery: `all requests after at most ${milliseconds(slowest)}`,
    });
  }));

for (const database of ["SQLite", "PostgreSQL"] as const)
  test(`while a killed worker is replaced, the other worker serves requests (${database})`, async () => {
    const server = database === "PostgreSQL" ? await startDatabaseServer() : null;
    const env = {
      WEB_CONCURRENCY: "2",
      ...(server === null ? {} : { DATABASE_URL: server.url, GATEHOUSE_SECRET: "x".repeat(32) }),
    };
    await withInstance({ env }, async (instance) => {
      const world = await openWorld(instance);
      const logFrom = instance.log().length;
      const started = () => logLines(world).filter(({ event }) => event === "worker.started").length;
      const before = started();
      const [worker = 0] = childrenOf(instance.processId());
      const killedAt = performance.now();
      process.kill(worker, "SIGKILL");
      let [succeeded, ended] = [0, 0];
      do {
        // The connections to the killed worker end; each later connection goes to the other worker.
        const response = await fetch(`${instance.baseUrl}/api/v4/projects`, {
          headers: { connection: "close" },
        }).catch(() => null);
        if (response === null) ended += 1;
        else {
          expect(response.status).toBe(200);
          succeeded += 1;
        }
      } while (started() === before);
      const recovered = performance.now() - killedAt;
      await untilUsual(world, 10_000);
      await untilReadiness(world, 200, 2_000);
      expect(succeeded).toBeGreaterThan(0);
      expect(eventsSince(world, logFrom)).toContain("worker.ended");
      record({
        fault: "one of two workers killed (SIGKILL)",
        database,
        expected: "the other worker responds, a new worker starts, ready",
        responses: `requests on new connections: ${succeeded} successful, ${ended} without a response`,
        readiness: "200 after the new start",
        log: eventsSince(world, logFrom).join(", "),
        recovery: `new worker after ${milliseconds(recovered)}`,
      });
    });
    await server?.remove();
  });

test("the workers end after the primary process is killed, and a new server can start on the same port", async () => {
  const instance = await startInstance({ env: { WEB_CONCURRENCY: "2" } });
  const world = await openWorld(instance);
  const workers = childrenOf(instance.processId());
  expect(workers).toHaveLength(2);
  const killedAt = performance.now();
  // The workers inherit the output pipes of the primary process, so `kill` waits until the workers have
  // ended.
  await instance.kill("SIGKILL");
  const ended = performance.now() - killedAt;
  expect(ended).toBeLessThan(10_000);
  await instance.restart();
  await untilUsual(world, 10_000);
  record({
    fault: "primary process of two workers killed (SIGKILL)",
    database: "SQLite",
    expected: "all workers end within 10 s; the next start on the same port succeeds",
    responses: "connections end",
    readiness: "no response",
    log: "not checked",
    recovery: `all workers end after ${milliseconds(ended)}; started again by the test: all requests after ${milliseconds(performance.now() - killedAt)}`,
  });
  await instance.stop();
});
