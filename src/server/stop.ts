import type { Server } from "node:http";
import { processWide } from "@/kernel/process/process-wide";

/** Requests that are still running after this time are aborted; the process must end within five seconds. */
const GRACE_MS = 4_000;

const state = processWide("stopping", () => ({ isStopping: false }));

/** Returns whether this process was asked to stop: it is no longer ready. */
export const isStopping = (): boolean => state().isStopping;

/** Accepts no new connections, waits for open requests, and closes idle connections. */
export async function stopServer(server: Server): Promise<void> {
  state().isStopping = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A keep-alive connection can turn idle at any moment, and `close` waits for it.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
