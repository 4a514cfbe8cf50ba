import { afterEach, expect, it, vi } from "vitest";
import { FETCH_START_BYTES, readStart, START_MS } from "./request-start.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** A request with these pieces as its body, which never ends unless `ends` is set. */
function requestOf(pieces: readonly string[], ends: boolean): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      if (ends) controller.close();
    },
  });
  return new Request("http://localhost/x", { method: "POST", body, duplex: "half" } as RequestInit);
}

it("readStart reads a small body to its end", async () => {
  const { bytes, rest } = await readStart(requestOf(["0014", "want"], true), FETCH_START_BYTES);
  expect(Buffer.concat(bytes).toString()).toBe("0014want");
  expect(rest).toBeNull();
});

it("readStart leaves the rest of a large body to its reader", async () => {
  const large = "x".repeat(600_000);
  const { bytes, rest } = await readStart(requestOf([large, large, "end"], true), FETCH_START_BYTES);
  expect(Buffer.concat(bytes)).toHaveLength(1_200_000);
  expect(Buffer.from((await rest?.read())?.value ?? []).toString()).toBe("end");
  expect((await rest?.read())?.done).toBe(true);
});

it("readStart rejects a body that does not arrive within 30 seconds with 408", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const refused = expect(readStart(requestOf(["00"], false), FETCH_START_BYTES)).rejects.toMatchObject({
    status: 408,
  });
  vi.advanceTimersByTime(START_MS);
  await refused;
});

it("readStart rejects a body that breaks off with 400", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error("reset")),
  });
  const broken = new Request("http://localhost/x", { method: "POST", body, duplex: "half" } as RequestInit);
  await expect(readStart(broken, FETCH_START_BYTES)).rejects.toMatchObject({ status: 400 });
});
