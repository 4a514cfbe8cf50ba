import { describe, expect, it } from "vitest";
import { openDatabase } from "@/kernel/db/open.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { afterThisFile } from "@/testing/release.ts";
import { countFailure, refund, reserve, type Subject, secondsBlocked } from "./counter.ts";

const { db, config } = await openTestDatabase();
const START = Date.parse("2026-11-21T12:00:00.000Z");
const at = (seconds: number) => new Date(START + seconds * 1000);
const of = (name: string, most = 3): Subject => ({ limit: "password_per_login", of: name, most });

describe("a counter of failures", () => {
  it("when a counter of failures has reached its limit, the counter blocks requests until the end of the time window", async () => {
    const ann = [of("ann")];
    for (let failure = 0; failure < 3; failure++) {
      expect(await secondsBlocked(db, ann, at(failure))).toBeNull();
      await countFailure(db, ann, at(failure));
    }
    expect(await secondsBlocked(db, ann, at(3))).toBe(177);
    expect(await secondsBlocked(db, ann, at(179.5))).toBe(1);
    expect(await secondsBlocked(db, ann, at(180))).toBeNull();
  });

  it("a counter of failures starts a new time window with the first failure after the end of the previous time window", async () => {
    const ben = [of("ben", 1)];
    await countFailure(db, ben, at(0));
    await countFailure(db, ben, at(200));
    expect(await secondsBlocked(db, ben, at(201))).toBe(179);
  });

  it("a counter of failures does not affect other keys or other limits", async () => {
    await countFailure(db, [of("cat", 1)], at(0));
    expect(await secondsBlocked(db, [of("cats", 1)], at(1))).toBeNull();
    expect(await secondsBlocked(db, [{ ...of("cat", 1), limit: "password_per_address" }], at(1))).toBeNull();
    expect(await secondsBlocked(db, [of("cats", 1), of("cat", 1)], at(1))).toBe(179);
  });

  it("no failures are stored for a disabled limit", async () => {
    for (let failure = 0; failure < 5; failure++) await countFailure(db, [of("dan", 0)], at(0));
    expect(await secondsBlocked(db, [of("dan", 0)], at(0))).toBeNull();
    expect(await reserve(db, [of("dan", 0)], at(0))).toBeNull();
    expect(await secondsBlocked(db, [of("dan", 1)], at(0))).toBeNull();
  });

  it("a counter stores the submitted value only as a digest", async () => {
    const typed = "x".repeat(100_000);
    await countFailure(db, [of(typed)], at(0));
    for (const { key } of await db.rateCounter.findMany()) expect(key.length).toBeLessThan(100);
    expect(JSON.stringify(await db.rateCounter.findMany())).not.toContain("xxxx");
  });
});

describe("reserved attempts", () => {
  it(
    conformance(
      "AT-24",
      "counting each attempt before its check allows exactly the configured number of failures, even for simultaneous requests to several processes",
    ),
    async () => {
      const other = await openDatabase(config);
      afterThisFile(other.close);
      const eve = [of("eve", 7)];
      const tries = Array.from({ length: 40 }, (_, index) => reserve(index % 2 ? db : other.db, eve, at(0)));
      const waits = await Promise.all(tries);
      expect(waits.filter((seconds) => seconds === null)).toHaveLength(7);
      expect(new Set(waits.filter((seconds) => seconds !== null))).toEqual(new Set([180]));
    },
  );

  it("an attempt that was counted before its check does not count as a failure if it succeeds", async () => {
    const fay = [of("fay", 2)];
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await reserve(db, fay, at(0))).toBeNull();
      await refund(db, fay, at(0));
    }
    await refund(db, fay, at(0));
    expect(await reserve(db, fay, at(0))).toBeNull();
    expect(await reserve(db, fay, at(0))).toBeNull();
    expect(await reserve(db, fay, at(0))).toBe(180);
  });
});
