import { describe, expect, it } from "vitest";
import { BodyTooLarge, readBody } from "./body.ts";

const post = (body: BodyInit, headers: Record<string, string> = {}): Request =>
  new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);

/**
 * Returns a body that is far larger than every limit in these tests, and a counter of the bytes that were
 * read.
 */
function huge(): { stream: ReadableStream<Uint8Array>; bytesRead: () => number } {
  let bytes = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    bytes += 1024;
    controller.enqueue(new Uint8Array(1024));
    if (bytes >= 1024 * 1024) controller.close();
  };
  return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }), bytesRead: () => bytes };
}

describe("readBody", () => {
  it("readBody reads a body whose length is exactly the limit", async () => {
    expect((await readBody(post("12345", { "content-length": "5" }), 5)).byteLength).toBe(5);
    expect((await readBody(post("12345"), 5)).byteLength).toBe(5);
  });

  it("readBody returns an empty body for a request without a body", async () => {
    expect((await readBody(new Request("http://localhost/"), 5)).byteLength).toBe(0);
  });

  it("readBody refuses a body whose declared length is over the limit, and does not read the body", async () => {
    const { stream, bytesRead } = huge();
    const request = post(stream, { "content-length": "1000000000" });
    await expect(readBody(request, 4096)).rejects.toBeInstanceOf(BodyTooLarge);
    expect(bytesRead()).toBe(0);
  });

  it("readBody stops at the limit if the body has no declared length", async () => {
    const { stream, bytesRead } = huge();
    await expect(readBody(post(stream), 4096)).rejects.toBeInstanceOf(BodyTooLarge);
    expect(bytesRead()).toBeLessThan(16_384);
  });

  it("readBody does not trust a declared length that is too small or not a number", async () => {
    await expect(readBody(post("123456", { "content-length": "1" }), 5)).rejects.toBeInstanceOf(BodyTooLarge);
    await expect(readBody(post("1", { "content-length": "one" }), 5)).rejects.toBeInstanceOf(BodyTooLarge);
  });
});
