import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { BODY_BYTES_MAX, replaceFailedPages } from "./page-failure.ts";

let server: Server;

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** Posts an unreadable form to a server that responds with 500, like Next. */
async function post(body: string): Promise<number> {
  server = createServer(async (incoming, outgoing) => {
    replaceFailedPages(incoming, outgoing);
    for await (const _ of incoming);
    outgoing.statusCode = 500;
    outgoing.end("blank");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body })).status;
}

describe("forms that cannot be parsed", () => {
  it("a form that cannot be parsed gets the status 400", async () => {
    expect(await post("x")).toBe(400);
  });

  it(
    conformance(
      "SC-45",
      "a form that is larger than the limit of a page is not copied, and gets the status 500 of Next",
    ),
    async () => {
      expect(await post("x".repeat(BODY_BYTES_MAX + 1))).toBe(500);
    },
  );
});
