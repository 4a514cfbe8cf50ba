import { beforeEach, describe, expect, it } from "vitest";
import { discardBuffers } from "@/kernel/jobs/write-behind.ts";
import { prune } from "@/operations/pruning/service.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { countEvent, readStatistics, topApplications, writeStatistics } from "./service.ts";
import { addCounts } from "./store.ts";

const deps = await openTestDeps();

beforeEach(async () => {
  discardBuffers();
  await deps.db.hourlyCount.deleteMany();
});

/** Returns the number of events in the last 24 hours, for the instance or an application. */
async function total(name: "token.issued" | "token.refreshed", application: string | null): Promise<number> {
  const bars = await readStatistics(deps, [name], "24h", application);
  return bars[name].reduce((sum, { count }) => sum + count, 0);
}

describe("counted events", () => {
  it("counted events are stored by a later batch, for the instance and for the application", async () => {
    for (const application of ["a", "a", "b", null]) countEvent(deps, "token.issued", application);
    countEvent(deps, "token.refreshed", "a");
    expect(await deps.db.hourlyCount.count(), "before the batch").toBe(0);
    expect(await total("token.issued", null)).toBe(4);
    expect(await total("token.issued", "a")).toBe(2);
    expect(await total("token.refreshed", "a")).toBe(1);
    expect(await total("token.refreshed", "b")).toBe(0);
  });

  it("counted events are added to the stored counts, even if several processes add counts simultaneously", async () => {
    const hour = new Date("2026-11-21T12:00:00.000Z");
    const row = { name: "token.issued", application: "", hour, count: 2 } as const;
    await Promise.all(Array.from({ length: 8 }, () => addCounts(deps, [row])));
    countEvent(deps, "token.issued");
    await writeStatistics(deps);
    expect(await deps.db.hourlyCount.findMany()).toEqual([{ ...row, count: 17 }]);
  });

  it("counted events belong to the hour in which they happened", async () => {
    countEvent(deps, "token.issued");
    deps.advance(3600);
    countEvent(deps, "token.issued");
    const { "token.issued": bars } = await readStatistics(deps, ["token.issued"], "24h");
    expect(bars.slice(-2).map(({ count }) => count)).toEqual([1, 1]);
  });

  it("events are still counted for the instance after the maximum number of counted applications is reached", async () => {
    for (let id = 0; id < 10_100; id++) countEvent(deps, "request.failed", `app-${id}`);
    await writeStatistics(deps);
    const row = await deps.db.hourlyCount.findFirst({ where: { name: "request.failed", application: "" } });
    expect(row?.count).toBe(10_100);
    expect(await deps.db.hourlyCount.count()).toBe(10_000);
  });

  it("counted events are deleted when they are older than the longest period of the charts", async () => {
    countEvent(deps, "token.issued");
    await writeStatistics(deps);
    deps.advance(31 * 86_400);
    await prune(deps);
    expect(await deps.db.hourlyCount.count()).toBe(1);
    deps.advance(2 * 86_400);
    await prune(deps);
    expect(await deps.db.hourlyCount.count()).toBe(0);
  });
});

it("the list of applications is sorted by the number of events in the period", async () => {
  for (const application of ["a", "b", "b", null, null, null]) countEvent(deps, "token.issued", application);
  countEvent(deps, "token.refreshed", "b");
  await writeStatistics(deps);
  const names = ["token.issued", "token.refreshed"] as const;
  expect(await topApplications(deps, names, "24h", 5)).toEqual([
    { uid: "b", count: 3 },
    { uid: "a", count: 1 },
  ]);
  deps.advance(86_400);
  expect(await topApplications(deps, names, "24h", 5)).toEqual([]);
  expect(await topApplications(deps, names, "7d", 1)).toEqual([{ uid: "b", count: 3 }]);
});
