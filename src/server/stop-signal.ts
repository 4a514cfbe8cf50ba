import type { Logger } from "@/kernel/log/log.ts";

/** After this time, a stop ends the process without waiting further. */
const EXIT_WITHIN_MS = 4_900;

/**
 * A terminal sends its signal to npm, to the server and to its workers, and npm and the server forward it: a signal
 * that follows within this time is the same one.
 */
const SAME_SIGNAL_MS = 1_000;

export type StopSignal = Readonly<{
  /** Resolves at the first SIGTERM or SIGINT. */
  asked: Promise<void>;
  /** Aborted at the same moment. */
  signal: AbortSignal;
}>;

/**
 * Receives SIGTERM and SIGINT from now on. A second signal ends the process, and so does a stop that takes too long.
 * @param endNow ends what would outlive the process.
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
