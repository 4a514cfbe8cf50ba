import type { Server } from "node:http";
import { setStopping } from "@/kernel/process/stopping";

/**
 * The time after a stop signal at which running requests are aborted. The process must end within five
 * seconds of the signal.
 */
const GRACE_MS = 4_000;

/** Stops accepting connections, waits for open requests, and closes idle connections. */
export async function stopServer(server: Server): Promise<void> {
  setStopping();
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // The function `close` of the HTTP server waits for keep-alive connections. A keep-alive connection can
  // become idle at any moment, so idle connections are closed repeatedly.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
