import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { type Instance, startInstance } from "../instance.ts";
import { startTcpProxy, type TcpProxy } from "../tcp-proxy.ts";
import { type DatabaseServer, startDatabaseServer } from "./database-server.ts";
import {
  describeResponses,
  eventsSince,
  type Outcome,
  openWorld,
  statusesOf,
  USUAL,
  untilReadiness,
  untilUsual,
  type World,
} from "./probes.ts";
import { milliseconds, record } from "./record.ts";

type Faulty = Readonly<{ world: World; instance: Instance; server: DatabaseServer; proxy: TcpProxy }>;

/**
 * Runs a test with a separate PostgreSQL server, and with an instance that connects to this server through a
 * proxy.
 */
async function withServer(
  settings: readonly string[],
  run: (faulty: Faulty) => Promise<void>,
): Promise<void> {
  const server = await startDatabaseServer(settings);
  const target = new URL(server.url);
  const proxy = await startTcpProxy(target);
  const DATABASE_URL = server.url.replace(target.host, `127.0.0.1:${proxy.port}`);
  const instance = await startInstance({ env: { DATABASE_URL, GATEHOUSE_SECRET: "x".repeat(32) } });
  try {
    await run({ world: await openWorld(instance), instance, server, proxy });
  } finally {
    await instance.kill("SIGKILL");
    await instance.stop();
    proxy.close();
    await server.remove();
  }
}

const UNAVAILABLE = { liveness: 200, read: 503, page: 503, rotation: 503, creation: 503 };

/**
 * Asserts and records the behavior of the Gatehouse server while the database does not respond, from `begin`
 * until `end`.
 */
async function expectOutage(
  { world, instance }: Faulty,
  fault: string,
  { begin, end }: Readonly<{ begin: () => unknown; end: () => unknown }>,
): Promise<void> {
  expect(statusesOf(await world.sendEach())).toEqual(USUAL);
  const processId = instance.processId();
  const logFrom = instance.log().length;
  await begin();
  const notReady = await untilReadiness(world, 503, 2_000);
  expect(notReady.failed).toContain("database");
  const repetitions: (readonly Outcome[])[] = [];
  for (let round = 0; round < 3; round++) {
    repetitions.push(await world.sendEach());
    expect(statusesOf(repetitions.at(-1) ?? [])).toEqual(UNAVAILABLE);
  }
  const events = eventsSince(world, logFrom);
  expect(events).not.toEqual([]);
  const endedAt = performance.now();
  await end();
  const ready = await untilReadiness(world, 200, 30_000);
  await untilUsual(world);
  const recovered = performance.now() - endedAt;
  expect(instance.processId()).toBe(processId);
  expect(recovered).toBeLessThan(15_000);
  record({
    fault,
    database: "PostgreSQL",
    expected: "requests get 503, not ready within 2 s, live; all requests within 15 s without a restart",
    responses: describeResponses(repetitions),
    readiness: `503 (${notReady.failed.join(", ")}) after ${milliseconds(notReady.after)}; liveness 200`,
    log: events.join(", "),
    recovery: `ready after ${milliseconds(ready.after)}, all requests after ${milliseconds(recovered)}`,
  });
}

test("requests get 503 while the PostgreSQL server is stopped, and succeed after its start", () =>
  withServer([], (faulty) =>
    expectOutage(faulty, "database server stopped", {
      begin: faulty.server.crash,
      end: faulty.server.start,
    }),
  ));

test("requests get 503 while the PostgreSQL server is paused, and succeed after it continues", () =>
  withServer([], (faulty) =>
    expectOutage(faulty, "database server paused (SIGSTOP)", {
      begin: faulty.server.freeze,
      end: faulty.server.unfreeze,
    }),
  ));

const CONNECTIONS = 24;
/** PostgreSQL reserves three connections for the superuser. */
const ROLE =
  "CREATE ROLE limited LOGIN; GRANT ALL ON DATABASE postgres TO limited; ALTER SCHEMA public OWNER TO limited";

test("requests get 503 while other clients use all connections of PostgreSQL, and succeed after these clients disconnect", async () => {
  const server = await startDatabaseServer([`max_connections=${CONNECTIONS}`]);
  await server.administer(ROLE);
  const url = server.url.replace(/\/\/[^@]*@/, "//limited@");
  const proxy = await startTcpProxy(new URL(url));
  const instance = await startInstance({ env: { DATABASE_URL: url, GATEHOUSE_SECRET: "x".repeat(32) } });
  const clients: pg.Client[] = [];
  const isOver = { now: false };
  /** Opens all connections that PostgreSQL allows, so that none is left for the instance. */
  const occupy = async (): Promise<void> => {
    while (!isOver.now) {
      const client = new pg.Client({ connectionString: url, application_name: "other" });
      client.on("error", () => undefined);
      const isConnected = await client.connect().then(
        () => true,
        () => false,
      );
      if (isConnected) clients.push(client);
      else await pause(5);
    }
  };
  let occupying: Promise<unknown> = Promise.resolve();
  try {
    const faulty = { world: await openWorld(instance), instance, server, proxy };
    await expectOutage(faulty, "database server without free connections", {
      begin: async () => {
        occupying = Promise.all(Array.from({ length: 4 }, occupy));
        while (clients.length < CONNECTIONS - 3) {
          await server.administer(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE usename = 'limited' AND application_name <> 'other'`,
          );
          await pause(10);
        }
      },
      end: async () => {
        isOver.now = true;
        await occupying;
        await Promise.all(clients.map((client) => client.end()));
      },
    });
  } finally {
    isOver.now = true;
    await instance.kill("SIGKILL");
    await instance.stop();
    proxy.close();
    await server.remove();
  }
});

test("requests succeed slowly while each message to PostgreSQL is delayed by 200 ms, and succeed quickly afterwards", () =>
  withServer([], async ({ world, instance, proxy }) => {
    const logFrom = instance.log().length;
    proxy.delay(100);
    const repetitions: (readonly Outcome[])[] = [];
    for (let round = 0; round < 3; round++) {
      repetitions.push(await world.sendEach());
      expect(statusesOf(repetitions.at(-1) ?? [])).toEqual(USUAL);
    }
    const ready = await untilReadiness(world, 200, 2_000);
    const events = eventsSince(world, logFrom);
    proxy.delay(0);
    const recovered = await untilUsual(world);
    record({
      fault: "database slow: 200 ms for each round trip",
      database: "PostgreSQL",
      expected: "requests succeed, ready, live",
      responses: describeResponses(repetitions),
      readiness: `200 in ${milliseconds(ready.after)}; liveness 200`,
      log: events.join(", ") || "no warning",
      recovery: `all requests after ${milliseconds(recovered)}`,
    });
  }));

test("requests get 503 while each message to PostgreSQL is delayed by 30 s, and succeed afterwards", () =>
  withServer([], (faulty) =>
    expectOutage(faulty, "database slow: 30 s for each round trip", {
      begin: () => faulty.proxy.delay(15_000),
      end: () => faulty.proxy.delay(0),
    }),
  ));
