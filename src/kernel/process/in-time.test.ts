import { stat } from "node:fs/promises";
import { expect, it } from "vitest";
import { inTime } from "./in-time.ts";

it("a function without a result within the time limit gets null", async () => {
  expect(await inTime(1, () => new Promise<never>(() => undefined))).toBeNull();
});

it("a function that fails gets null", async () => {
  expect(await inTime(60_000, () => Promise.reject(new Error("failed")))).toBeNull();
});

it("a result that arrives while the process stalls counts, although the time limit has passed", async () => {
  const stalled = () =>
    inTime(1, () => {
      const read = stat("/");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
      return read;
    });
  // After the phase of `setImmediate`, the event loop first runs the expired timers, and then reads input.
  const result = await new Promise<Awaited<ReturnType<typeof stalled>>>((resolve) =>
    setImmediate(() => resolve(stalled())),
  );
  expect(result?.isDirectory()).toBe(true);
});
