import { getEventListeners, once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { reachPostgresql } from "./reach-postgresql.ts";

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets.splice(0)) socket.destroy();
});

/**
 * Starts a server that accepts connections and responds to their first bytes with `response`. The result is the
 * port of the server.
 */
async function listen(response: Buffer | null): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    if (response !== null) socket.once("data", () => socket.end(response));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const port = await listen(null);
  servers.pop()?.close();
  return port;
}

const urlOf = (port: number): string => `postgresql://gatehouse:hunter2@127.0.0.1:${port}/gate`;

/** An `ErrorResponse` of the PostgreSQL protocol. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe("a start while the PostgreSQL server does not respond", () => {
  it(
    conformance(
      "SC-44",
      "the start of Gatehouse repeats the connection attempt, reports the wait at intervals, and fails with a message that names the settings to check",
    ),
    async () => {
      const port = await closedPort();
      const reports: string[] = [];
      const reached = reachPostgresql(urlOf(port), {
        patienceMs: 8_000,
        reportEveryMs: 100,
        report: (sentence) => reports.push(sentence),
      });
      await expect(reached).rejects.toThrow(
        `PostgreSQL at 127.0.0.1:${port}, database gate did not respond for 8 seconds (connect ECONNREFUSED 127.0.0.1:${port}). Check that the database server runs, that DATABASE_URL contains the host and the port of the server, and that no firewall blocks the connection.`,
      );
      expect(reports.length).toBeGreaterThanOrEqual(2);
      expect(reports[0]).toMatch(
        / does not respond \(connect ECONNREFUSED .*\)\. Trying again for 8 seconds\.$/,
      );
      expect(reports.join()).not.toContain("hunter2");
    },
  );

  it(
    conformance(
      "SC-44",
      "the start of Gatehouse repeats the connection attempt while the PostgreSQL server is still starting",
    ),
    async () => {
      const port = await listen(errorResponse("57P03", "the database system is starting up"));
      const reached = reachPostgresql(urlOf(port), { patienceMs: 5_000 });
      await expect(reached).rejects.toThrow(
        /did not respond for 5 seconds \(the database system is starting up\)/,
      );
      expect(sockets.length, "attempts").toBeGreaterThan(1);
    },
  );

  it(
    conformance(
      "SC-44",
      "the start of Gatehouse fails immediately when the PostgreSQL server refuses the user",
    ),
    async () => {
      const port = await listen(errorResponse("28P01", "password authentication failed"));
      await expect(reachPostgresql(urlOf(port), { patienceMs: 30_000 })).rejects.toThrow(
        /refuses the connection \(password authentication failed\)\. Check user, password and database/,
      );
      expect(sockets.length, "attempts").toBe(1);
    },
  );

  it(
    conformance(
      "SC-44",
      "the start of Gatehouse leaves no listener on the abort signal after many connection attempts",
    ),
    async () => {
      const port = await listen(errorResponse("57P03", "the database system is starting up"));
      const { signal } = new AbortController();
      await expect(reachPostgresql(urlOf(port), { patienceMs: 5_000, signal })).rejects.toThrow();
      expect(sockets.length, "attempts").toBeGreaterThan(1);
      // Node writes a warning to the console when eleven listeners wait for one signal.
      expect(getEventListeners(signal, "abort")).toEqual([]);
    },
  );

  it(
    conformance(
      "SC-44",
      "while the PostgreSQL server has not responded to a connection attempt, the start of Gatehouse stops at an abort signal",
    ),
    async () => {
      const port = await listen(null);
      const stop = new AbortController();
      // The promise would never settle without the signal.
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      const reached = reachPostgresql(urlOf(port), { patienceMs: 30_000, signal: stop.signal });
      await expect.poll(() => sockets.length).toBe(1);
      stop.abort();
      await expect(reached).rejects.toThrow(/aborted/);
      expect(sockets.length, "attempts").toBe(1);
    },
  );
});
