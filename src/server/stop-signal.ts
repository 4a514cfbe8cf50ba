import type { Logger } from "@/kernel/log/log.ts";

/**
 * The maximum time between a stop signal and the end of the process. After the maximum time, the process ends
 * immediately.
 */
const EXIT_WITHIN_MS = 4_900;

/**
 * The time within which repeated signals count as one signal. A terminal sends its signal to npm, to the
 * server and to its workers, and npm and the server also forward the signal.
 */
const SAME_SIGNAL_MS = 1_000;

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
    let firstAt: number | null = null;
    const receive = (): void => {
      if (firstAt !== null) {
        if (performance.now() - firstAt >= SAME_SIGNAL_MS) exit();
        return;
      }
      firstAt = performance.now();
      setTimeout(exit, EXIT_WITHIN_MS).unref();
      log.info({ event: "server.stopping" });
      stopping.abort();
      resolve();
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, receive);
  });
  return { asked, signal: stopping.signal };
}
