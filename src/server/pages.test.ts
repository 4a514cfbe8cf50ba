import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { storeMarkup } from "@/kernel/http/page-markup.ts";
import { conformance } from "@/testing/conformance.ts";
import { ISSUER, pages, start, stopAll } from "@/testing/http-server.ts";
import type { NextHandler } from "./pages.ts";

afterEach(stopAll);

describe("pages", () => {
  it("the request for a page is passed to Next after Next is prepared", async () => {
    let prepared: (handler: NextHandler) => void = () => undefined;
    const { url } = await start({
      pages: new Promise((resolve) => {
        prepared = resolve;
      }),
    });
    const early = fetch(`${url}/page`);
    expect((await fetch(`${url}/who`)).status).toBe(200);
    prepared(pages);
    expect(await (await early).text()).toBe("page 0");
  });

  it("a page accepts a request body of at most two megabytes, regardless of whether the request declares the length", async () => {
    const { url, port } = await start();
    expect(
      await (await fetch(`${url}/page`, { method: "POST", body: "x".repeat(2 * 1024 * 1024) })).text(),
    ).toBe("page 2097152");
    expect(await postRaw(port, "Content-Length: 2097153\r\n", "")).toContain("413");
    expect(await postRaw(port, "Transfer-Encoding: chunked\r\n", chunks(2 * 1024 * 1024 - 10))).toContain(
      "page 2097142",
    );
    expect(await postRaw(port, "Transfer-Encoding: chunked\r\n", chunks(2 * 1024 * 1024 + 10))).toContain(
      "413",
    );
  });

  it("a page refuses a form that another site submits", async () => {
    const { url } = await start();
    const post = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(`${url}/page`, { method: "POST", headers, body: "x" })).status;
    expect(await post({ origin: "https://evil.example" })).toBe(403);
    expect(await post({ origin: "null" })).toBe(403);
    expect(await post({ origin: ISSUER, "sec-fetch-site": "same-site" })).toBe(403);
    expect(await post({ origin: ISSUER, "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await post({ origin: ISSUER })).toBe(200);
    expect(await post({})).toBe(200);
    const elsewhere = { headers: { origin: "https://evil.example" } };
    expect((await fetch(`${url}/page`, elsewhere)).status, "a page can be requested from any site").toBe(200);
  });

  it("the HTML of a page is stored for a document, but not for flight data", async () => {
    const { url } = await start({
      pages: Promise.resolve(async (_incoming, outgoing) => {
        outgoing.end(String(storeMarkup("digest", "<p>")));
      }),
    });
    const isStored = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(`${url}/page`, { method: "POST", headers, body: "x" })).text();
    expect(await isStored({})).toBe("true");
    expect(await isStored({ rsc: "1" })).toBe("false");
    expect(await isStored({ "next-action": "4f2a" })).toBe("false");
  });

  it(
    conformance(
      "SC-45",
      "the request for a page gets the status 500 when the request handler of Next rejects, and the process continues",
    ),
    async () => {
      const { url } = await start({ pages: Promise.resolve(() => Promise.reject(new Error("a defect"))) });
      expect((await fetch(`${url}/page`)).status).toBe(500);
      expect((await fetch(`${url}/who`)).status).toBe(200);
    },
  );

  it("the request for a page gets the status 503 when Next could not start", async () => {
    const failed = Promise.reject(new Error("no build"));
    failed.catch(() => undefined);
    const { url } = await start({ pages: failed });
    expect((await fetch(`${url}/page`)).status).toBe(503);
  });
});

const chunks = (bytes: number): string => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n0\r\n\r\n`;

/**
 * Writes a POST request to the socket, and returns all received bytes when the connection ends or is silent.
 */
async function postRaw(port: number, header: string, body: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).setTimeout(3_000, () => socket.destroy());
  socket.write(`POST /page HTTP/1.1\r\nHost: localhost\r\n${header}\r\n${body}`);
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  await once(socket, "close");
  return answer;
}
