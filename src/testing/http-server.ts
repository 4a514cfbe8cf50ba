import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parseTrustedProxies } from "@/kernel/config/trusted-proxies.ts";
import { BodyTooLarge, readBody } from "@/kernel/http/body.ts";
import { clientIpOf } from "@/kernel/http/ip-address.ts";
import { requestIdOf } from "@/kernel/http/request-id.ts";
import { openLog } from "@/kernel/log/log.ts";
import { isStopping } from "@/kernel/process/stopping.ts";
import { badRequest } from "@/server/bad-request.ts";
import { createGatehouseServer } from "@/server/http-server.ts";
import type { NextHandler } from "@/server/pages.ts";
import type { RouteFile, RouteHandler } from "@/server/routes.ts";

export const route = (path: string, handlers: Record<string, RouteHandler>): RouteFile => ({
  segments: path.split("/").slice(1),
  module: handlers,
});

const ROUTES: readonly RouteFile[] = [
  route("/-/bad_request", { GET: badRequest }),
  route("/-/stopping", { GET: () => Response.json(isStopping()) }),
  route("/who", { GET: (request) => Response.json([requestIdOf(request), clientIpOf(request)]) }),
  route("/api/v4/item/[id]", { GET: async (_request, { params }) => Response.json(await params) }),
  route("/target", {
    GET: (request) => Response.json([new URL(request.url).pathname, request.headers.get("host")]),
  }),
  route("/broken", {
    GET: () => {
      throw new Error("no such row: ghat_0123456789");
    },
  }),
  route("/echo", {
    POST: async (request) => {
      try {
        return Response.json((await readBody(request, 1024)).byteLength);
      } catch (error) {
        return Response.json("refused", { status: error instanceof BodyTooLarge ? 413 : 400 });
      }
    },
  }),
  route("/slow", {
    GET: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return new Response("done");
    },
  }),
];

/** A replacement for Next that reads the body of the request and responds with the length of the body. */
export const pages: NextHandler = async (incoming, outgoing) => {
  let bytes = 0;
  for await (const chunk of incoming) bytes += chunk.length;
  if (!outgoing.headersSent) outgoing.end(`page ${bytes}`);
};

/** The origin from which the server accepts forms. */
export const ISSUER = "http://localhost:3000";

const servers: Server[] = [];

/**
 * Starts a server with `ROUTES` or the given routes, and a page. The array `lines` receives the log of the server. The function
 * `stopAll` stops the server.
 */
export async function start(
  options: { routes?: readonly RouteFile[]; pages?: Promise<NextHandler>; opened?: Promise<unknown> } = {},
) {
  const lines: string[] = [];
  const server = createGatehouseServer({
    routeFiles: options.routes ?? ROUTES,
    pages: options.pages ?? Promise.resolve(pages),
    opened: options.opened ?? Promise.resolve(),
    trusted: parseTrustedProxies("127.0.0.1"),
    secure: false,
    issuer: ISSUER,
    log: openLog("info", { write: (line: string) => lines.push(line) }),
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return { server, port, url: `http://127.0.0.1:${port}`, lines };
}

/** Stops the servers of the tests; for `afterEach`. */
export function stopAll(): void {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
}

export const logged = (lines: readonly string[]): Record<string, unknown>[] =>
  lines.map((line) => JSON.parse(line));

/**
 * Writes `chunks` to one connection, 100 ms apart, and returns the output of the server until the server
 * closes the connection or sends no more data.
 */
export async function sendRaw(port: number, ...chunks: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.on("error", () => undefined).setTimeout(3_000, () => socket.destroy());
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  const closed = once(socket, "close");
  for (const chunk of chunks) {
    socket.write(chunk);
    await pause(100);
  }
  await closed;
  return received;
}

/** Sends a request with an unchanged request target, which `fetch` would normalize. */
export async function send(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string> } = {},
) {
  const outgoing = httpRequest({ host: "127.0.0.1", port, path, ...options }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of incoming) body += chunk;
  return { status: incoming.statusCode, headers: incoming.headers, body };
}
