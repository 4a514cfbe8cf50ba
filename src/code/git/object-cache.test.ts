import { beforeEach, describe, expect, it } from "vitest";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { CACHE_BYTES_MAX, CACHED_BYTES_MAX, findCached, keepCached } from "./object-cache.ts";

beforeEach(resetProcessWide);

const blob = (bytes: number, fill = "x") => ({ kind: "blob", content: Buffer.alloc(bytes, fill) });

describe("the cache of Git objects", () => {
  it("the cache stores a copy of an object, so that the larger buffer that contains the object does not stay in memory", () => {
    const large = Buffer.from("the content of a large buffer");
    keepCached("a", { kind: "blob", content: large.subarray(4, 11) });
    large.fill(0);
    const cached = findCached("a");
    expect(cached).toEqual({ kind: "blob", content: Buffer.from("content") });
    expect(cached?.content.buffer.byteLength).toBe(7);
    expect(findCached("b")).toBeUndefined();
  });

  it("the cache discards the least recently used objects when the total size of all objects exceeds the limit", () => {
    const bytes = CACHED_BYTES_MAX / 2;
    const count = Math.floor(CACHE_BYTES_MAX / bytes);
    for (let index = 0; index < count - 1; index += 1) keepCached(String(index), blob(bytes));
    expect(findCached("0")).toBeDefined();
    keepCached("next", blob(bytes));
    keepCached("last", blob(1));
    expect(["0", "1", "2", "next", "last"].map((key) => findCached(key) !== undefined)).toEqual([
      ...[true, false, true, true, true],
    ]);
  });

  it("the cache does not store an object that exceeds the maximum size of one object", () => {
    keepCached("large", blob(CACHED_BYTES_MAX + 1));
    expect(findCached("large")).toBeUndefined();
    keepCached("small", blob(CACHED_BYTES_MAX));
    expect(findCached("small")?.content.byteLength).toBe(CACHED_BYTES_MAX);
  });

  it("the size of the cache includes the memory overhead of each cache entry in addition to the size of the cached object", () => {
    for (let index = 0; index < 50_000; index += 1) keepCached(String(index), blob(1));
    expect(findCached("0")).toBeUndefined();
    expect(findCached("49999")).toBeDefined();
  });
});
