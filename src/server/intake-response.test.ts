import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { IntakeResponse } from "./intake-response.ts";

const COMMON = [{ "x-common": "common", "x-frame-options": "DENY" }, { "x-request-id": "1" }];

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function headersAfter(answer: (outgoing: ServerResponse) => void) {
  const server = createServer({ ServerResponse: IntakeResponse }, (_incoming, outgoing) => {
    outgoing.commonHeaders = COMMON;
    answer(outgoing);
  });
  servers.push(server as ReturnType<typeof createServer>);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  await response.text();
  return response;
}

/** The ways to write the head of a response. */
const SENDERS: Readonly<Record<string, (outgoing: ServerResponse) => void>> = {
  "headers of writeHead": (outgoing) =>
    outgoing.writeHead(201, { "x-frame-options": "SAMEORIGIN", "set-cookie": ["a=1", "b=2"] }).end("x"),
  "a reason and headers of writeHead": (outgoing) =>
    outgoing
      .writeHead(201, "Created", { "x-frame-options": "SAMEORIGIN", "set-cookie": ["a=1", "b=2"] })
      .end("x"),
  "a list of writeHead": (outgoing) =>
    outgoing.writeHead(201, ["x-frame-options", "SAMEORIGIN", "set-cookie", ["a=1", "b=2"]]).end("x"),
  setHeader: (outgoing) => {
    outgoing.statusCode = 201;
    outgoing.setHeader("X-Frame-Options", "SAMEORIGIN");
    outgoing.setHeader("Set-Cookie", ["a=1", "b=2"]);
    outgoing.end("x");
  },
  "setHeader and writeHead": (outgoing) => {
    outgoing.setHeader("Set-Cookie", ["a=1", "b=2"]);
    outgoing.writeHead(201, { "X-Frame-Options": "SAMEORIGIN" }).end("x");
  },
};

describe("the common headers of a response", () => {
  it.each(Object.entries(SENDERS))(
    "the common headers are added to a response, and a header that the sender of the response sets replaces the common header with the same name: %s",
    async (_name, send) => {
      const response = await headersAfter(send);
      expect(response.status).toBe(201);
      expect(response.statusText).toBe("Created");
      expect(response.headers.get("x-common")).toBe("common");
      expect(response.headers.get("x-request-id")).toBe("1");
      expect(response.headers.get("x-frame-options")).toBe("SAMEORIGIN");
      expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    },
  );

  it("the common headers are also sent if the sender of a response does not write the head explicitly", async () => {
    const response = await headersAfter((outgoing) => outgoing.end());
    expect(response.status).toBe(200);
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });
});
