import { expect, it } from "vitest";
import { consumeQuota } from "./quota.ts";

const at = (seconds: number): Date => new Date(1_800_000_000_000 + seconds * 1000);

it("the quota limits the events of a client key per minute, starting at the first event of the key", () => {
  expect(consumeQuota(1, 2, 3, at(0))).toBeNull();
  expect(consumeQuota(1, 0, 3, at(1))).toBeNull();
  expect(consumeQuota(1, 2, 3, at(1))).toBe(59);
  expect(consumeQuota(1, 1, 3, at(2))).toBeNull();
  expect(consumeQuota(1, 0, 3, at(59.5))).toBe(1);
  expect(consumeQuota(2, 3, 3, at(59.5))).toBeNull();
  expect(consumeQuota(1, 3, 3, at(60))).toBeNull();
});

it("the quota accepts any number of events when no limit is set", () => {
  for (let time = 0; time < 10; time++) expect(consumeQuota(3, 1_000_000, 0, at(0))).toBeNull();
  expect(consumeQuota(3, 1, 1, at(0))).toBeNull();
});

it("the quota of a client key starts a new minute when the clock is set back", () => {
  expect(consumeQuota(4, 1, 1, at(100_000))).toBeNull();
  expect(consumeQuota(4, 1, 1, at(0))).toBeNull();
});
