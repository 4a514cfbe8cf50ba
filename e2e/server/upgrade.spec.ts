import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { conformance } from "../../src/testing/conformance.ts";
import { expect, test } from "../fixtures.ts";
import { type Instance, startInstance } from "../instance.ts";

/** The headers that curl, Git and Java's HttpClient send when they offer HTTP/2 without TLS. */
const H2C =
  "Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";

const WEBSOCKET =
  "Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

const BODY = "grant_type=nothing";
const FORM = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${BODY.length}\r\n`;

/**
 * Writes each chunk after the previous response has arrived, and returns the received text when the server
 * has closed the connection.
 */
async function exchange({ baseUrl }: Instance, ...chunks: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), "localhost").setEncoding("utf8");
  socket.setTimeout(60_000, () => socket.destroy(new Error(`The server fell silent after: ${text}`)));
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  const closed = once(socket, "close");
  for (const [index, chunk] of chunks.entries()) {
    socket.write(chunk);
    const countResponses = () => text.match(/HTTP\/1\.1 \d+/g)?.length ?? 0;
    while (countResponses() <= index && !socket.destroyed) await pause(10);
  }
  await closed;
  return text;
}

const statuses = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

const LAST = "GET /-/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

for (const mount of ["server", "next"] as const)
  test.describe(`the server mode ${mount}`, () => {
    let instance: Instance;
    test.beforeAll(async () => {
      instance = await startInstance({ mount });
    });
    test.afterAll(() => instance.stop());

    test(
      conformance(
        "SC-19",
        `requests with an Upgrade header get a response before and after the server has rendered its first page, in the server mode ${mount}`,
      ),
      async () => {
        for (const time of ["before", "after"]) {
          const posted = await exchange(
            instance,
            `POST /oauth/token HTTP/1.1\r\n${H2C}${FORM}\r\n${BODY}`,
            LAST,
          );
          expect(statuses(posted), time).toEqual([400, 200]);
          expect(posted, time).toContain("unsupported_grant_type");
          const read = await exchange(instance, `GET /api/v4/user HTTP/1.1\r\n${H2C}\r\n`, LAST);
          expect(statuses(read), time).toEqual([401, 200]);
          const page = await exchange(instance, `GET /help/connect HTTP/1.1\r\n${H2C}\r\n`, LAST);
          expect(statuses(page), time).toEqual([200, 200]);
          expect(page, time).toContain("Sign in");
          for (const path of ["/help/connect", "/-/health", "/_next/webpack-hmr"]) {
            const response = await exchange(instance, `GET ${path} HTTP/1.1\r\n${WEBSOCKET}\r\n`);
            expect(statuses(response), `${time} ${path}`).toEqual([path.startsWith("/_next") ? 404 : 200]);
            // Without `Connection: close`, the client would wait for the idle timeout of the connection.
            expect(response, `${time} ${path}`).toMatch(/^connection: close\r$/im);
          }
        }
      },
    );

    test(
      conformance(
        "SC-19",
        `the probes respond to HTTP/1.0 requests without a Host header, in the server mode ${mount}`,
      ),
      async () => {
        for (const probe of ["health", "liveness", "readiness"]) {
          const response = await exchange(instance, `OPTIONS /-/${probe} HTTP/1.0\r\n\r\n`);
          expect(statuses(response), "HAProxy's default check").toEqual([204]);
          const body = /\{"status":"(?:ok|warning)"/;
          expect(await exchange(instance, `GET /-/${probe} HTTP/1.0\r\n\r\n`)).toMatch(body);
        }
      },
    );
  });
