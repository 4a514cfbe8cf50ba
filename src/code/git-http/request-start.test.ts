import { afterEach, expect, it, vi } from "vitest";
import { FETCH_START_BYTES, readStart, START_MS } from "./request-start.ts";

afterEach(() => {
  vi.useRealTimers();
});

/**
 * Returns a request whose body consists of these chunks. The request body never ends unless `ends` is set.
 */
function requestOf(pieces: readonly string[], ends: boolean): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      if (ends) controller.close();
    },
  });
  return new Request("http://localhost/x", { method: "POST", body, duplex: "half" } as RequestInit);
}

it("readStart returns the whole body of a small HTTP request", async () => {
  const { bytes, rest } = await readStart(requestOf(["0014", "want"], true), FETCH_START_BYTES);
  expect(Buffer.concat(bytes).toString()).toBe("0014want");
  expect(rest).toBeNull();
});

it("readStart reads only the beginning of a large request body, and returns a reader for the rest of the body", async () => {
  const large = "x".repeat(600_000);
  const { bytes, rest } = await readStart(requestOf([large, large, "end"], true), FETCH_START_BYTES);
  expect(Buffer.concat(bytes)).toHaveLength(1_200_000);
  expect(Buffer.from((await rest?.read())?.value ?? []).toString()).toBe("end");
  expect((await rest?.read())?.done).toBe(true);
});

it("readStart throws an error with the status 408 if the request body does not arrive within 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const refused = expect(readStart(requestOf(["00"], false), FETCH_START_BYTES)).rejects.toMatchObject({
    status: 408,
  });
  vi.advanceTimersByTime(START_MS);
  await refused;
});

it("readStart throws an error with the status 400 if the request body ends early", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error("reset")),
  });
  const broken = new Request("http://localhost/x", { method: "POST", body, duplex: "half" } as RequestInit);
  await expect(readStart(broken, FETCH_START_BYTES)).rejects.toMatchObject({ status: 400 });
});
