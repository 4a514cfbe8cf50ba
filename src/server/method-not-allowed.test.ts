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

it("an empty 405 response for a path that version 5 of the API does not have becomes a 404 response", async () => {
  for (const way of WAYS) {
    const { status, type, body } = await answerOf(way, "/api/v5/geo_nodes");
    expect({ status, type }).toEqual({ status: 404, type: "application/json" });
    expect(JSON.parse(body)).toEqual({ message: expect.stringContaining("/api/v5/geo_sites") });
  }
});

it("an empty 400 response of Next to a method that no route file can export becomes a 405 response", async () => {
  const refuse = (outgoing: ServerResponse) => void outgoing.writeHead(400).end();
  expect(await answerOf(refuse, "/api/v4/user", "PROPFIND")).toMatchObject(JSON_405);
  expect(await answerOf(refuse, "/-/health", "PROPFIND")).toMatchObject(EMPTY_405);
  expect(await answerOf(refuse, "/api/v4/user", "PUT")).toMatchObject({ status: 400, type: null, body: "" });
});

it("describeRefusedMethod changes only empty responses", async () => {
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
