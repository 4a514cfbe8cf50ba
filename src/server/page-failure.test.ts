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

/** Posts an unreadable form to a server that answers 500, as Next does. */
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

describe("an unreadable form", () => {
  it("is answered 400", async () => {
    expect(await post("x")).toBe(400);
  });

  it(
    conformance("SC-45", "is not copied beyond the limit of a page, and is answered as Next does"),
    async () => {
      expect(await post("x".repeat(BODY_BYTES_MAX + 1))).toBe(500);
    },
  );
});
