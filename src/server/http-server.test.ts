import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { ISSUER, logged, route, send, sendRaw, start, stopAll } from "@/testing/http-server.ts";

afterEach(stopAll);

const respond = () => new Response();

describe("a mounted route", () => {
  it("the server passes the path parameters, the request ID and the IP address of the client to a route file", async () => {
    const { url } = await start();
    expect(await (await fetch(`${url}/api/v4/item/g%2Fp`)).json()).toEqual({ id: "g/p" });
    const headers = {
      "x-request-id": "0123456789abcdef",
      "x-client-address": "9.9.9.9",
      "x-forwarded-for": "198.51.100.7",
    };
    const response = await fetch(`${url}/who`, { headers });
    expect(await response.json()).toEqual(["0123456789abcdef", "198.51.100.7"]);
    expect(response.headers.get("x-request-id")).toBe("0123456789abcdef");
  });

  it("the response of a route file has the headers that are configured for the prefix of its path", async () => {
    const { url } = await start();
    const [api, other] = await Promise.all([fetch(`${url}/api/v4/item/1`), fetch(`${url}/who`)]);
    expect(api.headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(other.headers.get("x-frame-options")).toBe("DENY");
    expect(other.headers.get("x-content-type-options")).toBe("nosniff");
    expect(other.headers.get("referrer-policy")).toBe("same-origin");
    expect(other.headers.get("x-powered-by")).toBeNull();
  });

  it("the server handles HEAD, OPTIONS and unsupported methods for every route file", async () => {
    const { port } = await start();
    expect(await send(port, "/who", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    const allow = "GET, HEAD, OPTIONS";
    expect(await send(port, "/who", { method: "OPTIONS" })).toMatchObject({
      status: 204,
      headers: { allow },
    });
    expect(await send(port, "/who", { method: "DELETE" })).toMatchObject({ status: 405, headers: { allow } });
    for (const method of ["PROPFIND", "TRACE"]) {
      expect(await send(port, "/who", { method })).toMatchObject({
        status: 405,
        headers: { allow },
        body: "",
      });
      const page = await send(port, "/page", { method });
      expect(page).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST" } });
      expect(JSON.parse(page.body)).toMatchObject({ error: "invalid_request" });
      expect(await send(port, "/a/../b", { method })).toMatchObject({ status: 400 });
    }
  });

  it(
    conformance(
      "SC-27",
      "a request with a method that the API does not support gets the JSON body of GitLab",
    ),
    async () => {
      const { port } = await start();
      for (const method of ["PATCH", "PROPFIND", "TRACE"]) {
        const { status, headers, body } = await send(port, "/api/v4/item/1", { method });
        expect({ status, type: headers["content-type"] }).toEqual({ status: 405, type: "application/json" });
        expect(headers.allow).toContain("GET");
        expect(JSON.parse(body)).toEqual({ error: "405 Not Allowed" });
      }
    },
  );

  it.each(["PROPFIND", "TRACE"])(
    "an OAuth endpoint refuses the method %s with an OAuth error",
    async (method) => {
      const routes = [route("/oauth/token", { POST: respond })];
      const { port } = await start({ routes });
      const { status, headers, body } = await send(port, "/oauth/token", { method });
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: "OPTIONS, POST" });
      expect(JSON.parse(body)).toMatchObject({ error: "invalid_request" });
    },
  );

  it("a path that version 5 of the API does not have gets 404 and the path of its replacement for every method", async () => {
    const routes = [route("/api/v4/geo_nodes", { GET: respond })];
    const { port } = await start({ routes });
    for (const method of ["PUT", "DELETE", "PROPFIND"]) {
      const { status, headers, body } = await send(port, "/api/v5/geo_nodes", { method });
      expect({ status, allow: headers.allow }).toEqual({ status: 404, allow: undefined });
      expect(JSON.parse(body)).toEqual({ message: expect.stringContaining("/api/v5/geo_sites") });
      expect(await send(port, "/api/v4/geo_nodes", { method })).toMatchObject({ status: 405 });
    }
  });

  it("the server does not send the error of a route file to the client, and logs the error without secrets", async () => {
    const { port, lines } = await start();
    const { status, body } = await send(port, "/broken");
    expect(status).toBe(500);
    expect(JSON.parse(body)).toEqual({ error: "server_error", error_description: expect.any(String) });
    expect(body).not.toContain("no such row");
    expect(logged(lines)).toContainEqual(
      expect.objectContaining({ event: "http.failed", reason: "no such row: [redacted]" }),
    );
  });

  it("a route file refuses a request body that is larger than its limit, regardless of whether the request declares the length", async () => {
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

describe("an invalid request target", () => {
  it.each([
    "/a/./b",
    "/a/../b",
    "/a%2f..%2e/%2e%2e/b",
    "/a\\b",
    "/who/%zz",
    "/who%00",
    "//..//who",
    "http://user:password@evil.example/who",
    "ftp://evil.example/who",
    "*",
  ])("an invalid request target gets a 400 response before any route or page runs: %s", async (path) => {
    const { port } = await start();
    const { status, headers, body } = await send(port, path, { method: "POST" });
    expect(status).toBe(400);
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(body)).toMatchObject({ error: "invalid_request" });
  });
});

describe("a request target", () => {
  it.each([
    ["/target", "127.0.0.1"],
    ["//target", "127.0.0.1"],
    ["///target//", "127.0.0.1"],
    ["http://other.example/target", "other.example"],
    ["HTTPS://other.example:8443//target?x=//", "other.example:8443"],
  ])(conformance("SC-23", "the request target %s is routed to /target"), async (target, host) => {
    const { port, lines } = await start();
    const { status, body } = await send(port, target, { headers: { host: "127.0.0.1" } });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual([expect.stringMatching(/^\/target\/?$/), host]);
    await expect.poll(() => logged(lines)).toMatchObject([{ path: expect.stringMatching(/^\/target\/?$/) }]);
  });

  it(
    conformance("SC-23", "a request target in absolute form without a path is routed to the first page"),
    async () => {
      const { port } = await start();
      expect(await send(port, "http://other.example?x=1")).toMatchObject({ status: 200, body: "page 0" });
      expect(await send(port, "//")).toMatchObject({ status: 200, body: "page 0" });
    },
  );
});

describe("a request with an Upgrade header", () => {
  const H2C =
    "Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";

  it(
    conformance(
      "SC-19",
      "an upgrade request for h2c is handled in HTTP/1.1, and the connection stays usable",
    ),
    async () => {
      const { port } = await start();
      const output = await sendRaw(
        port,
        `POST /echo HTTP/1.1\r\n${H2C}Content-Length: 5\r\n\r\nhello`,
        `GET /page HTTP/1.1\r\n${H2C}\r\n`,
        "GET /target HTTP/1.1\r\nHost: localhost\r\n\r\n",
      );
      expect(output.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill("HTTP/1.1 200"));
      expect(output).toContain("\r\n\r\n5HTTP/1.1");
      expect(output).toContain("page 0");
      expect(output).toContain('["/target","localhost"]');
    },
  );

  it(
    conformance(
      "SC-19",
      "an upgrade request for a protocol other than h2c is handled, and then the connection is closed",
    ),
    async () => {
      const { server, port } = await start();
      // This timeout keeps an idle connection open for longer than the time limit of the test.
      server.keepAliveTimeout = 600_000;
      for (const path of ["/target", "/page"]) {
        const output = await sendRaw(
          port,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        );
        expect(output).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/i);
      }
    },
  );
});

describe("a request in HTTP/1.0 without a Host header", () => {
  it(
    conformance(
      "SC-19",
      "a request in HTTP/1.0 without a Host header is handled as a request to the host of the public URL",
    ),
    async () => {
      const { port } = await start();
      expect(await sendRaw(port, "GET /target HTTP/1.0\r\n\r\n")).toMatch(
        new RegExp(`^HTTP/1\\.1 200 OK\\r\\n[^]*\\["/target","${new URL(ISSUER).host}"\\]$`),
      );
      expect(await sendRaw(port, "GET /target HTTP/1.1\r\n\r\n"), "RFC 9112 §3.2").toMatch(
        /^HTTP\/1\.1 400 /,
      );
    },
  );
});

describe("a client that does not follow the usual order of requests and responses", () => {
  const GET = "GET /target HTTP/1.1\r\nHost: localhost\r\n\r\n";

  it(
    conformance(
      "SC-45",
      "a client receives the responses to pipelined requests in the order of the requests",
    ),
    async () => {
      const { port } = await start();
      const output = await sendRaw(port, `${GET}GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n${GET}`);
      expect(output.match(/\["\/target"|page 0/g)).toEqual(['["/target"', "page 0", '["/target"']);
    },
  );

  it("if the server responds before the request body has arrived, the client receives the complete response, with Connection: close", async () => {
    const { port } = await start();
    const head = "POST /target HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8388608\r\n\r\n";
    const output = await sendRaw(port, head, ...Array.from({ length: 8 }, () => "x".repeat(1_048_576)), GET);
    expect(output).toMatch(/^HTTP\/1\.1 405 .*\r\n(?:.*\r\n)*Connection: close\r\n/i);
    expect(output.match(/HTTP\/1\.1/g), "the server handles no further request").toHaveLength(1);
  });

  it("a client can send the rest of the request body after the server has refused the request during the transfer of the body", async () => {
    const { port } = await start();
    const chunk = `100000\r\n${"x".repeat(1_048_576)}\r\n`;
    const socket = connect(port, "127.0.0.1");
    const failures: Error[] = [];
    socket.on("error", (failure) => failures.push(failure));
    socket.write(`POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
    const [data] = (await once(socket, "data")) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 413 .*\r\n(?:.*\r\n)*Connection: close\r\n/i);
    // The request body is larger than the socket buffers of the client and of the server.
    socket.end(`${chunk.repeat(12)}0\r\n\r\n`);
    await once(socket, "finish");
    await once(socket, "close");
    expect(failures).toEqual([]);
  });

  it("after the server has refused a request, the server reads the rest of the request body while the client sends it", async () => {
    const { port } = await start();
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const failures: Error[] = [];
    socket.on("error", (failure) => failures.push(failure)).resume();
    socket.write(`POST /target HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
    // The server waits five seconds for a client that sends nothing.
    for (let second = 0; second < 7; second += 1) {
      await pause(1_000);
      socket.write(chunk);
    }
    expect([failures, socket.destroyed]).toEqual([[], false]);
    socket.end("0\r\n\r\n");
    await once(socket, "close");
    expect(failures).toEqual([]);
  });

  it("the connection of a client stays open when the request body has arrived before the server responds", async () => {
    const { port } = await start();
    const post = "POST /target HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx";
    const output = await sendRaw(port, `${post}${GET}`);
    expect(output).toMatch(/^HTTP\/1\.1 405 .*\r\n(?:.*\r\n)*Connection: keep-alive\r\n/i);
    expect(output.match(/HTTP\/1\.1/g)).toHaveLength(2);
  });

  it(
    conformance(
      "SC-45",
      "the server closes the connection of a client that closes its sending side before the response has been sent",
    ),
    async () => {
      const { server, port, url } = await start();
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.resume().end("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await once(socket, "end");
      socket.destroy();
      expect((await fetch(`${url}/target`, { headers: { connection: "close" } })).status).toBe(200);
      const connections = () =>
        new Promise((resolve) => server.getConnections((_cause, count) => resolve(count)));
      await expect.poll(connections).toBe(0);
    },
  );

  it(
    conformance(
      "SC-45",
      "a client receives 431 when its headers are larger than 32 KiB, and other clients are still served",
    ),
    async () => {
      const { port, url } = await start();
      const output = await sendRaw(
        port,
        `GET /target HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(40_000)}\r\n\r\n`,
      );
      expect(output).toMatch(/^HTTP\/1\.1 431 /);
      expect((await fetch(`${url}/target`)).status).toBe(200);
    },
  );

  it("a client that opens two hundred silent connections does not delay other clients", async () => {
    const { port, url } = await start();
    const silent = Array.from({ length: 200 }, () => connect(port, "127.0.0.1"));
    await Promise.all(silent.map((socket) => once(socket, "connect")));
    for (const socket of silent) socket.write("GET /target HTTP/1.1\r\n");
    let closed = 0;
    for (const socket of silent) socket.on("close", () => closed++);
    expect((await fetch(`${url}/target`)).status).toBe(200);
    expect(closed, "connections that the server closed").toBe(0);
    for (const socket of silent) socket.destroy();
  });
});

describe("a request before the database is open", () => {
  it("a request waits until the database is open", async () => {
    let open: () => void = () => undefined;
    const { url } = await start({
      opened: new Promise<void>((resolve) => {
        open = resolve;
      }),
    });
    let isAnswered = false;
    const early = fetch(`${url}/who`).then((response) => {
      isAnswered = true;
      return response.status;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAnswered).toBe(false);
    open();
    expect(await early).toBe(200);
  });
});
