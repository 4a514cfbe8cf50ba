import type { Logger } from "@/kernel/log/log.ts";
import { processWide } from "@/kernel/process/process-wide.ts";
import { currentWorker } from "@/kernel/process/worker.ts";

/**
 * The maximum time between a stop signal and the end of the process. After the maximum time, the process ends
 * immediately.
 */
const EXIT_WITHIN_MS = 4_900;

/**
 * The part of `EXIT_WITHIN_MS` that is left for the end of a process after its last work. A worker leaves more time,
 * because the primary process does its own last work after the workers have ended.
 */
const LEFT_FOR_EXIT_MS = { worker: 1_100, other: 200 };

/**
 * The time within which repeated signals count as one signal. A terminal sends its signal to npm, to the
 * server and to its workers, and npm and the server also forward the signal.
 */
const SAME_SIGNAL_MS = 1_000;

const state = processWide("stop-signal", (): { receivedAt: number | null } => ({ receivedAt: null }));

export type StopSignal = Readonly<{
  /** A promise that resolves at the first SIGTERM or SIGINT. */
  asked: Promise<void>;
  /** An abort signal that is aborted at the first SIGTERM or SIGINT. */
  signal: AbortSignal;
}>;

/**
 * Installs handlers for SIGTERM and SIGINT. The process ends immediately at a second signal, or if the stop
 * takes too long.
 * @param endNow ends the child processes, which would otherwise continue to run after the process.
 */
export function receiveStopSignal(log: Logger, endNow: () => void = () => undefined): StopSignal {
  const stopping = new AbortController();
  const exit = (): never => {
    endNow();
    process.exit(1);
  };
  const asked = new Promise<void>((resolve) => {
    const receive = (): void => {
      const { receivedAt } = state();
      if (receivedAt !== null) {
        if (performance.now() - receivedAt >= SAME_SIGNAL_MS) exit();
        return;
      }
      state().receivedAt = performance.now();
      setTimeout(exit, EXIT_WITHIN_MS).unref();
      log.info({ event: "server.stopping" });
      stopping.abort();
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, receive);
  });
  return { asked, signal: stopping.signal };
}

/**
 * Returns the time in milliseconds for the last work of this process: the requested time, or less if the stop
 * has already taken long, but not less than 0.
 */
export function remainingStopTime(requestedMs: number): number {
  const { receivedAt } = state();
  if (receivedAt === null) return requestedMs;
  const left = currentWorker() === null ? LEFT_FOR_EXIT_MS.other : LEFT_FOR_EXIT_MS.worker;
  return Math.max(0, Math.min(requestedMs, receivedAt + EXIT_WITHIN_MS - left - performance.now()));
}
