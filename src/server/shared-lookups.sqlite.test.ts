import Sqlite from "better-sqlite3";
import { afterAll, afterEach, expect, it } from "vitest";
import { integer } from "@/kernel/db/column-types.ts";
import { statement } from "@/kernel/db/statement.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { route, sendRaw, start, stopAll } from "@/testing/http-server.ts";
import { insertUser } from "@/testing/rows.ts";

const { prepared, db, config } = await openTestDatabase();
await insertUser(db, "ann");
// The other connection stands for another process.
const other = new Sqlite("file" in config ? config.file : "");
afterEach(stopAll);
afterAll(() => void other.close());

const BLOCKED = statement({
  name: "number_of_blocked_users",
  parameters: {},
  columns: { count: [`COUNT(*)`, integer] },
  sql: (columns) => `SELECT ${columns} FROM "User" WHERE "state" = 'blocked'`,
});
/** On SQLite, a lookup returns the row without a promise. */
const isBlocked = (): boolean => (prepared.first(BLOCKED, {}) as { count: number }).count === 1;
const setState = (state: string): void => void other.prepare(`UPDATE "User" SET "state" = ?`).run(state);

const ROUTES = [
  route("/state", { GET: () => Response.json({ blocked: isBlocked() }) }),
  // The lookup before the change begins the transaction that the lookups of a turn share.
  route("/block", {
    GET: () => {
      const before = isBlocked();
      setState("blocked");
      return Response.json({ before });
    },
  }),
];
const get = (path: string, last = false): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last ? "Connection: close\r\n" : ""}\r\n`;

it.each([
  ["that the client sends after the response", [get("/block"), get("/state", true)]],
  ["that the client sends together with the previous request", [get("/block") + get("/state", true)]],
])("a change by another process applies to the next request %s", async (_name, chunks) => {
  setState("active");
  const { port } = await start({ routes: ROUTES });
  const received = await sendRaw(port, ...chunks);
  expect(received.match(/\{.*?\}/g)).toEqual([`{"before":false}`, `{"blocked":true}`]);
});

it("a change by another process applies to the next request on another connection, even while other requests are sent", async () => {
  const { url } = await start({ routes: ROUTES });
  for (let round = 0; round < 20; round += 1) {
    setState("active");
    const others = Array.from({ length: 8 }, () => fetch(`${url}/state`));
    await Promise.any(others);
    setState("blocked");
    expect(await (await fetch(`${url}/state`)).json()).toEqual({ blocked: true });
    await Promise.all(others.map(async (response) => (await response).text()));
  }
});
