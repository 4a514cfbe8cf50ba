import { expect, it } from "vitest";
import { retryWhileBusy } from "./busy.ts";

const busyFor = (attempts: number) => {
  let tries = 0;
  return () => {
    tries += 1;
    if (tries <= attempts) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
    return tries;
  };
};

it("after a stall that is longer than the time limit, an attempt is repeated until the other process has written", async () => {
  expect(await retryWhileBusy(busyFor(100), { patienceMs: 0 })).toBe(101);
});

it("an attempt fails with the busy error after the time limit and the minimum number of attempts", async () => {
  await expect(retryWhileBusy(busyFor(Number.POSITIVE_INFINITY), { patienceMs: 0 })).rejects.toThrow(
    "database is locked",
  );
});

it("an error that is not a busy error is not repeated", async () => {
  let tries = 0;
  const attempt = () => {
    tries += 1;
    throw new Error("disk I/O error");
  };
  await expect(retryWhileBusy(attempt)).rejects.toThrow("disk I/O error");
  expect(tries).toBe(1);
});
