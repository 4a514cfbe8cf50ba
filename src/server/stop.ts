import type { Server } from "node:http";
import { processWide } from "@/kernel/process/process-wide";

/** What is still running after this long is cut off; the process has to be gone within five seconds. */
const GRACE_MS = 4_000;

const state = processWide("stopping", () => ({ isStopping: false }));

/** True from the moment that this process was told to stop: it is not ready for more. */
export const isStopping = (): boolean => state().isStopping;

/** Takes no new connections, lets requests that are under way finish, and closes what is idle. */
export async function stopServer(server: Server): Promise<void> {
  state().isStopping = true;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection that is kept alive turns idle at any moment, and `close` waits for it.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
