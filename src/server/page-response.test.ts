import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { preparePage } from "./page-response.ts";

let server: Server;

afterEach(() => {
  server.close();
  server.closeAllConnections();
});

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Sends a request to a server that prepares its responses as pages. */
async function get(handler: Handler, path = "/page", init: RequestInit = {}): Promise<Response> {
  server = createServer((incoming, outgoing) => {
    preparePage(incoming, outgoing, path);
    handler(incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
}

/** Sends a page in several chunks, like Next. */
const inParts = (_incoming: unknown, outgoing: ServerResponse): void => {
  outgoing.setHeader("content-type", "text/html; charset=utf-8");
  outgoing.flushHeaders();
  outgoing.write("<p>");
  outgoing.write(Buffer.from("Ünï".repeat(50_000)), () => outgoing.end("</p>"));
};
const PAGE = `<p>${"Ünï".repeat(50_000)}</p>`;

describe("the response of a page", () => {
  it("the response of a page is compressed, contains all parts of the page, and has a Content-Length header", async () => {
    const response = await get(inParts);
    expect(await response.text()).toBe(PAGE);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    expect(Number(response.headers.get("content-length"))).toBeLessThan(5_000);
  });

  it("the response of a page is not compressed for a client that does not accept gzip", async () => {
    const response = await get(inParts, "/page", { headers: { "accept-encoding": "identity" } });
    expect(await response.text()).toBe(PAGE);
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(PAGE)));
  });

  it("the response of a page is complete when Next writes the head before the body", async () => {
    const response = await get((_incoming, outgoing) => {
      outgoing.writeHead(404, { "content-type": "text/html" });
      outgoing.write("a");
      outgoing.end("b");
    });
    expect([response.status, await response.text()]).toEqual([404, "ab"]);
  });

  it("the response to a HEAD request for a page has no body", async () => {
    const response = await get(inParts, "/page", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-security-policy")).toContain("script-src");
  });

  it("the response of a page has a content security policy with a new nonce, which Next receives in the request", async () => {
    const policies: unknown[] = [];
    const handler: Handler = (incoming, outgoing) => {
      policies.push(incoming.headers["content-security-policy"]);
      outgoing.end();
    };
    const sent = { headers: { "content-security-policy": "script-src *" } };
    for (let round = 0; round < 2; round++) {
      const { headers } = await get(handler, "/page", sent);
      expect(headers.get("content-security-policy")).toBe(policies.at(-1));
      expect(headers.get("content-security-policy")).toMatch(
        /script-src 'self' 'nonce-[^']{24}' 'strict-dynamic'/,
      );
      expect(headers.get("cache-control")).toBe("no-store");
      server.close();
      server.closeAllConnections();
    }
    expect(policies[0]).not.toBe(policies[1]);
  });

  it("the server sets no content security policy for a request with a flash message, because proxy.ts sets the policy", async () => {
    const handler: Handler = ({ headers }, outgoing) => {
      expect(headers["x-gatehouse-flash"]).toBeUndefined();
      inParts(null, outgoing);
    };
    const headers = { cookie: "a=b; __Host-gatehouse_flash=Saved", "x-gatehouse-flash": "forged" };
    const response = await get(handler, "/page", { headers });
    expect(response.headers.get("content-security-policy")).toBeNull();
    expect(await response.text()).toBe(PAGE);
  });

  it.each([
    "/_next/static/chunks/a.js",
    "/icon.svg",
    "/api/auth/session",
    "/-/nothing",
    "/profile/applications",
  ])("the server does not change the response for %s, because the path is not a page", async (path) => {
    const handler: Handler = ({ headers }, outgoing) => {
      expect(headers["content-security-policy"]).toBeUndefined();
      outgoing.end(headers["accept-encoding"]);
    };
    const response = await get(handler, path, { headers: { "content-security-policy": "script-src *" } });
    expect(await response.text()).toContain("gzip");
    expect(response.headers.get("content-security-policy")).toBeNull();
    expect(response.headers.get("cache-control")).toBeNull();
  });

  it("a response that is not a page, such as a stream of events, is streamed in chunks", async () => {
    const response = await get((_incoming, outgoing) => {
      outgoing.setHeader("content-type", "text/event-stream");
      outgoing.write("data: 1\n\n");
      outgoing.end();
    });
    expect(response.headers.get("transfer-encoding")).toBe("chunked");
    expect(await response.text()).toBe("data: 1\n\n");
  });
});
