import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { afterThisFile } from "@/testing/release.ts";
import { describeRefusedMethod } from "./method-not-allowed.ts";

/** Returns the response that `respond` sends, after the changes by `describeRefusedMethod`. */
async function answerOf(respond: (outgoing: ServerResponse) => void, path = "/api/v4/user", method = "PUT") {
  const server = createServer((incoming, outgoing) => {
    describeRefusedMethod(incoming, outgoing);
    respond(outgoing);
  });
  afterThisFile(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socketAddress = server.address();
  const port = typeof socketAddress === "object" && socketAddress !== null ? socketAddress.port : 0;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { connection: "close" },
  });
  const { status, headers } = response;
  return { status, headers, type: headers.get("content-type"), body: await response.text() };
}

const JSON_405 = { status: 405, type: "application/json", body: '{"error":"405 Not Allowed"}' };
const EMPTY_405 = { status: 405, type: null, body: "" };

const WAYS: readonly ((outgoing: ServerResponse) => void)[] = [
  (outgoing) => {
    outgoing.statusCode = 405;
    outgoing.end();
  },
  (outgoing) => {
    outgoing.writeHead(405);
    outgoing.end();
  },
  (outgoing) => {
    outgoing.statusCode = 405;
    outgoing.flushHeaders();
    outgoing.end(() => undefined);
  },
];

it(
  conformance(
    "SC-27",
    "an empty 405 response of the API gets the body of GitLab, for every way to send the response",
  ),
  async () => {
    for (const way of WAYS) {
      for (const path of ["/api/v4/user", "/api/v5/user?x=1", "/api/graphql"])
        expect(await answerOf(way, path)).toMatchObject(JSON_405);
      expect(await answerOf(way, "/oauth/device")).toMatchObject(EMPTY_405);
      expect(await answerOf(way, "/api/v4/user", "HEAD")).toMatchObject(EMPTY_405);
    }
  },
);

it(
  conformance(
    "XC-01",
    "an empty 405 response of an OAuth endpoint gets an OAuth error and the headers of OAuth errors, for every way to send the response",
  ),
  async () => {
    for (const way of WAYS) {
      const get = await answerOf(way, "/oauth/token", "GET");
      expect(get).toMatchObject({ status: 405, type: "application/json" });
      expect(JSON.parse(get.body)).toEqual({
        error: "invalid_request",
        error_description: "The endpoint does not support this method. Supported methods: OPTIONS, POST.",
      });
      const head = await answerOf(way, "/oauth/token", "HEAD");
      expect(head).toMatchObject(EMPTY_405);
      for (const { headers } of [get, head]) {
        expect(headers.get("allow")).toBe("OPTIONS, POST");
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("pragma")).toBe("no-cache");
        expect(headers.get("access-control-allow-origin")).toBe("*");
      }
    }
  },
);

it("describeRefusedMethod changes only empty 405 responses", async () => {
  const merge = (outgoing: ServerResponse) => {
    outgoing.writeHead(405, { "content-type": "application/json" });
    outgoing.end('{"message":"405 Method Not Allowed"}');
  };
  expect(await answerOf(merge)).toMatchObject({ body: '{"message":"405 Method Not Allowed"}' });
  const none = (outgoing: ServerResponse) => {
    outgoing.statusCode = 204;
    outgoing.end();
  };
  expect(await answerOf(none)).toMatchObject({ status: 204, type: null, body: "" });
});
