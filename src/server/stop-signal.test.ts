import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Logger } from "@/kernel/log/log.ts";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { receiveStopSignal, remainingStopTime } from "./stop-signal.ts";

const log: Pick<Logger, "info"> = { info: () => undefined };
const SIGNALS = ["SIGTERM", "SIGINT"] as const;

let listeners: ReadonlyMap<string, readonly unknown[]>;
let exit: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  listeners = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
  vi.useFakeTimers();
  exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
});
afterEach(() => {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (!listeners.get(signal)?.includes(listener)) process.off(signal, listener);
  vi.useRealTimers();
  vi.restoreAllMocks();
  resetProcessWide();
});

it("signals within one second count as one signal, and a later signal ends the process immediately", async () => {
  const endNow = vi.fn();
  const { asked, signal } = receiveStopSignal(log as Logger, endNow);
  process.emit("SIGINT");
  await asked;
  expect(signal.aborted).toBe(true);
  vi.advanceTimersByTime(999);
  process.emit("SIGTERM");
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  process.emit("SIGINT");
  expect(endNow).toHaveBeenCalledOnce();
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});

it("the process ends within five seconds of a signal, and its last work gets the remaining time", async () => {
  const { asked } = receiveStopSignal(log as Logger);
  expect(remainingStopTime(2_000)).toBe(2_000);
  process.emit("SIGTERM");
  await asked;
  expect(remainingStopTime(2_000)).toBe(2_000);
  vi.advanceTimersByTime(4_000);
  expect(remainingStopTime(2_000)).toBe(700);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(800);
  expect(remainingStopTime(2_000)).toBe(0);
  vi.advanceTimersByTime(100);
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});
