import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

/** A web server for a test. */
export type LoopbackServer = Readonly<{ origin: string; close: () => Promise<void> }>;

/** Listens on a free loopback port and calls `answer` for each request. */
export async function listenOnLoopback(answer: RequestListener): Promise<LoopbackServer> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
