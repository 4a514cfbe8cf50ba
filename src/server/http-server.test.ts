import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { clientAddressOf, parseTrustedProxies } from "@/platform/http/address.ts";
import { BodyTooLarge, readBody } from "@/platform/http/body.ts";
import { requestIdOf } from "@/platform/http/request-id.ts";
import { openLog } from "@/platform/log.ts";
import { badRequest } from "./bad-request.ts";
import { createGatehouseServer } from "./http-server.ts";
import type { NextHandler } from "./pages.ts";
import type { RouteFile, RouteHandler } from "./routes.ts";
import { isStopping, stopServer } from "./stop.ts";

const route = (path: string, handlers: Record<string, RouteHandler>): RouteFile => ({
  segments: path.split("/").slice(1),
  module: handlers,
});

const ROUTES: readonly RouteFile[] = [
  route("/-/bad_request", { GET: badRequest }),
  route("/-/stopping", { GET: () => Response.json(isStopping()) }),
  route("/who", { GET: (request) => Response.json([requestIdOf(request), clientAddressOf(request)]) }),
  route("/api/v4/item/[id]", { GET: async (_request, { params }) => Response.json(await params) }),
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

/** Stands where Next stands: reads the body and tells its length. */
const pages: NextHandler = async (incoming, outgoing) => {
  let bytes = 0;
  for await (const chunk of incoming) bytes += chunk.length;
  if (!outgoing.headersSent) outgoing.end(`page ${bytes}`);
};

const servers: Server[] = [];

async function start(options: { pages?: Promise<NextHandler>; opened?: Promise<unknown> } = {}) {
  const lines: string[] = [];
  const server = createGatehouseServer({
    routeFiles: ROUTES,
    pages: options.pages ?? Promise.resolve(pages),
    opened: options.opened ?? Promise.resolve(),
    trusted: parseTrustedProxies("127.0.0.1"),
    log: openLog("info", { write: (line: string) => lines.push(line) }),
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { server, port, url: `http://127.0.0.1:${port}`, lines };
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const logged = (lines: readonly string[]): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));

/** A request whose target is sent as it is: `fetch` would tidy it. */
async function send(
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

describe("a mounted route", () => {
  it("gets its parameters, its request id and its client's address", async () => {
    const { url } = await start();
    expect(await (await fetch(`${url}/api/v4/item/g%2Fp`)).json()).toEqual({ id: "g/p" });
    const headers = {
      "x-request-id": "0123456789abcdef",
      "x-client-address": "9.9.9.9",
      "x-forwarded-for": "198.51.100.7",
    };
    const answer = await fetch(`${url}/who`, { headers });
    expect(await answer.json()).toEqual(["0123456789abcdef", "198.51.100.7"]);
    expect(answer.headers.get("x-request-id")).toBe("0123456789abcdef");
  });

  it("has the headers of its prefix", async () => {
    const { url } = await start();
    const [api, other] = await Promise.all([fetch(`${url}/api/v4/item/1`), fetch(`${url}/who`)]);
    expect(api.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(other.headers.get("x-frame-options")).toBe("DENY");
    expect(other.headers.get("x-content-type-options")).toBe("nosniff");
    expect(other.headers.get("referrer-policy")).toBe("same-origin");
    expect(other.headers.get("x-powered-by")).toBeNull();
  });

  it("answers HEAD, OPTIONS and wrong methods by itself", async () => {
    const { port } = await start();
    expect(await send(port, "/who", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    const allow = "GET, HEAD, OPTIONS";
    expect(await send(port, "/who", { method: "OPTIONS" })).toMatchObject({
      status: 204,
      headers: { allow },
    });
    expect(await send(port, "/who", { method: "DELETE" })).toMatchObject({ status: 405, headers: { allow } });
    expect(await send(port, "/who", { method: "PROPFIND" })).toMatchObject({ status: 400 });
    expect(await send(port, "/who", { method: "TRACE" })).toMatchObject({ status: 400 });
  });

  it("hides what went wrong and logs it without its secrets", async () => {
    const { port, lines } = await start();
    const { status, body } = await send(port, "/broken");
    expect(status).toBe(500);
    expect(JSON.parse(body)).toEqual({ error: "server_error", error_description: expect.any(String) });
    expect(body).not.toContain("no such row");
    expect(logged(lines)).toContainEqual(
      expect.objectContaining({ event: "http.failed", reason: "no such row: [redacted]" }),
    );
  });

  it("refuses a body over its limit, declared or not", async () => {
    const { url } = await start();
    const post = (body: BodyInit) =>
      fetch(`${url}/echo`, { method: "POST", body, duplex: "half" } as RequestInit);
    const chunked = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let count = 0; count < chunks; count++) controller.enqueue(new Uint8Array(512));
          controller.close();
        },
      });
    expect(await (await post("x".repeat(1024))).json()).toBe(1024);
    expect(await (await post(chunked(2))).json()).toBe(1024);
    expect((await post("x".repeat(1025))).status).toBe(413);
    expect((await post(chunked(3))).status).toBe(413);
  });
});

it.each([
  "//",
  "//evil.example/",
  "/a/./b",
  "/a/../b",
  "/a%2f..%2e/%2e%2e/b",
  "/a\\b",
  "/who/%zz",
  "/who%00",
  "http://evil.example/who",
])("answers 400 to %s before any route or page", async (path) => {
  const { port } = await start();
  const { status, headers, body } = await send(port, path, { method: "POST" });
  expect(status).toBe(400);
  expect(headers["content-type"]).toBe("application/json");
  expect(JSON.parse(body)).toMatchObject({ error: "invalid_request" });
});

describe("a page", () => {
  it("is asked of Next once Next is there", async () => {
    let prepared: (handler: NextHandler) => void = () => undefined;
    const { url } = await start({
      pages: new Promise((resolve) => {
        prepared = resolve;
      }),
    });
    const early = fetch(`${url}/page`);
    expect((await fetch(`${url}/who`)).status).toBe(200);
    prepared(pages);
    expect(await (await early).text()).toBe("page 0");
  });

  it("takes no more than two megabytes, declared or not", async () => {
    const { url, port } = await start();
    expect(
      await (await fetch(`${url}/page`, { method: "POST", body: "x".repeat(2 * 1024 * 1024) })).text(),
    ).toBe("page 2097152");
    expect(await postRaw(port, "Content-Length: 2097153\r\n", "")).toContain("413");
    expect(await postRaw(port, "Transfer-Encoding: chunked\r\n", chunks(2 * 1024 * 1024 - 10))).toContain(
      "page 2097142",
    );
    expect(await postRaw(port, "Transfer-Encoding: chunked\r\n", chunks(2 * 1024 * 1024 + 10))).toContain(
      "413",
    );
  });

  it("answers 503 when Next could not start", async () => {
    const failed = Promise.reject(new Error("no build"));
    failed.catch(() => undefined);
    const { url } = await start({ pages: failed });
    expect((await fetch(`${url}/page`)).status).toBe(503);
  });
});

const chunks = (bytes: number): string => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n0\r\n\r\n`;

/** Writes a POST by hand and gives back everything that comes until the connection ends or falls silent. */
async function postRaw(port: number, header: string, body: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined).setTimeout(700, () => socket.destroy());
  socket.write(`POST /page HTTP/1.1\r\nHost: localhost\r\n${header}\r\n${body}`);
  let answer = "";
  socket.on("data", (data) => {
    answer += data;
  });
  await once(socket, "close");
  return answer;
}

it("keeps requests waiting until the database is open", async () => {
  let open: () => void = () => undefined;
  const { url } = await start({
    opened: new Promise<void>((resolve) => {
      open = resolve;
    }),
  });
  let answered = false;
  const early = fetch(`${url}/who`).then((response) => {
    answered = true;
    return response.status;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(answered).toBe(false);
  open();
  expect(await early).toBe(200);
});

describe("the log", () => {
  it("has one line per request, without the query", async () => {
    const { url, lines } = await start();
    await fetch(`${url}/api/v4/item/7?x=1`);
    expect(logged(lines)).toEqual([
      expect.objectContaining({
        event: "http.request",
        method: "GET",
        path: "/api/v4/item/7",
        status: 200,
        milliseconds: expect.any(Number),
        request_id: expect.any(String),
        client: "127.0.0.1",
      }),
    ]);
  });

  it("never holds a secret, wherever the caller put it", async () => {
    const { url, lines } = await start();
    const secret = (place: string) => `ghat_${place}SecretSecretSecret`;
    const places = ["query", "bearer", "private", "cookie", "form", "path", "escaped", "id", "forwarded"];
    const headers = {
      authorization: `Bearer ${secret("bearer")}`,
      "private-token": secret("private"),
      cookie: `session=${secret("cookie")}`,
      "x-request-id": secret("id"),
      "x-forwarded-for": secret("forwarded"),
      "content-type": "application/x-www-form-urlencoded",
    };
    const body = `password=${secret("form")}`;
    for (const path of [
      "/echo",
      "/broken",
      "/page",
      `/api/v4/item/${secret("path")}`,
      `/page/gh%61t_${secret("escaped").slice(5)}/%zz`,
    ]) {
      const target = `${url}${path}?access_token=${secret("query")}`;
      await fetch(target, { headers });
      await fetch(target, { headers, method: "POST", body });
    }
    const text = lines.join("");
    expect(logged(lines).filter(({ event }) => event === "http.request")).toHaveLength(10);
    for (const place of places) expect(text).not.toContain(`${place}Secret`);
  });
});

describe("stopping", () => {
  it("finishes what is under way, is no longer ready, and takes no more", async () => {
    const { server, port, url } = await start();
    const socket = connect(port, "127.0.0.1");
    let answers = "";
    socket.on("data", (data) => {
      answers += data;
    });
    socket.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = stopServer(server);
    socket.write("GET /-/stopping HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect(fetch(`${url}/who`)).rejects.toThrow();
    await Promise.all([stopped, once(socket, "close")]);
    expect(answers).toContain("done");
    expect(answers).toContain("true");
  });

  it("does not wait for connections that are kept alive", async () => {
    const { server, url } = await start();
    await (await fetch(`${url}/who`)).text();
    const startedAt = performance.now();
    await stopServer(server);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
