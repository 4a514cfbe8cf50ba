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
  const result = await inTime(1, () => {
    const read = stat("/");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    return read;
  });
  expect(result?.isDirectory()).toBe(true);
});
