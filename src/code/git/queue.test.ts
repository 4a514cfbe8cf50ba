import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { GIT_WAIT_MS, GIT_WAITING_MAX, GitBusy, withGitSlot } from "./queue.ts";

// A call of `withGitSlot` in an earlier test file may still occupy a slot.
beforeAll(resetProcessWide);

afterEach(() => {
  vi.useRealTimers();
});

/** Starts `count` calls of `withGitSlot`, which run until `endAll` is called. */
function startCalls(count: number) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const done = Array.from({ length: count }, (_, index) =>
    withGitSlot(() => {
      started.push(index);
      return new Promise<void>((end) => ends.push(end));
    }),
  );
  const endAll = async () => {
    while (ends.length > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { started, done, endAll };
}

describe("withGitSlot", () => {
  it("withGitSlot runs at most six calls simultaneously, and starts waiting calls in the order of their arrival", async () => {
    const { started, done, endAll } = startCalls(20);
    expect(started).toEqual([0, 1, 2, 3, 4, 5]);
    await endAll();
    await Promise.all(done);
    expect(started).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it("withGitSlot rejects a call when the queue is full", async () => {
    const { done, endAll } = startCalls(6 + GIT_WAITING_MAX);
    await expect(withGitSlot(() => Promise.resolve())).rejects.toBeInstanceOf(GitBusy);
    await endAll();
    await Promise.all(done);
    expect(await withGitSlot(() => Promise.resolve("served"))).toBe("served");
  });

  it("withGitSlot rejects a call that has waited too long, and runs the other waiting calls", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { started, done, endAll } = startCalls(7);
    const late = expect(done[6]).rejects.toBeInstanceOf(GitBusy);
    vi.advanceTimersByTime(GIT_WAIT_MS);
    await late;
    await endAll();
    expect(started).toEqual([0, 1, 2, 3, 4, 5]);
    const after = startCalls(6);
    expect(after.started).toHaveLength(6);
    await after.endAll();
    await Promise.all(after.done);
  });

  it("withGitSlot releases the slot of a call when the call fails", async () => {
    for (let time = 0; time < 10; time += 1)
      await expect(withGitSlot(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const { started, endAll } = startCalls(6);
    expect(started).toHaveLength(6);
    await endAll();
  });
});
