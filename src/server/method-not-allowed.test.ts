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
  return { status: response.status, type: response.headers.get("content-type"), body: await response.text() };
}

const JSON_405 = { status: 405, type: "application/json", body: '{"error":"405 Not Allowed"}' };
const EMPTY_405 = { status: 405, type: null, body: "" };

it(
  conformance(
    "SC-27",
    "an empty 405 response of the API gets the body of GitLab, for every way to send the response",
  ),
  async () => {
    const ways: ((outgoing: ServerResponse) => void)[] = [
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
    for (const way of ways) {
      for (const path of ["/api/v4/user", "/api/v5/user?x=1", "/api/graphql"])
        expect(await answerOf(way, path)).toEqual(JSON_405);
      expect(await answerOf(way, "/oauth/token")).toEqual(EMPTY_405);
      expect(await answerOf(way, "/api/v4/user", "HEAD")).toEqual(EMPTY_405);
    }
  },
);

it("describeRefusedMethod changes only empty 405 responses of the API", async () => {
  const merge = (outgoing: ServerResponse) => {
    outgoing.writeHead(405, { "content-type": "application/json" });
    outgoing.end('{"message":"405 Method Not Allowed"}');
  };
  expect(await answerOf(merge)).toMatchObject({ body: '{"message":"405 Method Not Allowed"}' });
  const none = (outgoing: ServerResponse) => {
    outgoing.statusCode = 204;
    outgoing.end();
  };
  expect(await answerOf(none)).toEqual({ status: 204, type: null, body: "" });
});
