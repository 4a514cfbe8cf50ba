import { once } from "node:events";
import { createServer } from "node:http";

/** What a client's redirect URI was called with. */
export type Received = Readonly<{ method: string; url: URL }>;

/** A client's own web site on a loopback port: it records what arrives at its redirect URI. */
export type ClientSite = Readonly<{
  redirectUri: string;
  /** What arrived at the redirect URI, in order; asking empties the list. */
  received: () => readonly Received[];
  close: () => Promise<void>;
}>;

export async function openClientSite(): Promise<ClientSite> {
  let arrived: Received[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    if (url.pathname === "/callback") arrived.push({ method: request.method ?? "", url });
    response
      .setHeader("content-type", "text/html")
      .end("<title>The client</title><h1>Back at the client</h1>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    received: () => {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
