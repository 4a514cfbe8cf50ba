import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { parseTrustedProxies } from "../config/trusted-proxies.ts";
import { type AllowedAddresses, isAllowedAddress, type ResolveHost } from "./outbound-address.ts";
import { type OutboundRequest, sendOutboundRequest } from "./outbound-request.ts";

const servers: Server[] = [];

/** Starts a server on a loopback address and returns its origin. */
async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    }),
  );
});

const GET = {
  method: "GET",
  redirectsMax: 2,
  deadlineMs: 5_000,
  bytesMax: 1_000,
  http: "always",
  allow: { loopback: true },
} satisfies OutboundRequest;

const failureOf = (url: URL | string, options: OutboundRequest = GET): Promise<string> =>
  sendOutboundRequest(new URL(url), options).then(
    ({ status }) => `status ${status}`,
    (cause: { failure?: string }) => cause.failure ?? String(cause),
  );

describe("isAllowedAddress", () => {
  it.each([
    ["public IPv4", "93.184.215.14"],
    ["public IPv6", "2606:2800:21f::1"],
  ])("isAllowedAddress accepts an IP address of the kind %s", (_kind, ipAddress) => {
    expect(isAllowedAddress(ipAddress, {})).toBe(true);
  });

  it.each([
    ["unspecified", "0.0.0.0"],
    ["private", "10.0.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["loopback", "127.0.0.1"],
    ["link-local", "169.254.169.254"],
    ["benchmark", "198.19.0.1"],
    ["multicast", "224.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified IPv6", "::"],
    ["loopback IPv6", "::1"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped public", "::ffff:93.184.215.14"],
    ["IPv4-compatible", "::10.0.0.1"],
    ["NAT64", "64:ff9b::a9fe:a9fe"],
    ["local NAT64", "64:ff9b:1::1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:7f00:1::"],
    ["documentation", "2001:db8::1"],
    ["unique local", "fd00::1"],
    ["link-local IPv6 with a zone", "fe80::1%eth0"],
    ["multicast IPv6", "ff02::1"],
    ["malformed", "example.com"],
  ])("isAllowedAddress refuses an IP address of the kind %s", (_kind, ipAddress) => {
    expect(isAllowedAddress(ipAddress, {})).toBe(false);
  });

  it.each<[string, AllowedAddresses, boolean]>([
    ["127.0.0.1", { loopback: true }, true],
    ["::1", { loopback: true }, true],
    ["10.0.0.1", { loopback: true }, false],
    ["::ffff:7f00:1", { loopback: true }, false],
    ["10.1.2.3", { ranges: parseTrustedProxies("10.1.0.0/16") }, true],
    ["10.2.2.3", { ranges: parseTrustedProxies("10.1.0.0/16") }, false],
    ["fd00::7", { ranges: parseTrustedProxies("fd00::/64") }, true],
  ])(
    "isAllowedAddress accepts the IP address %s only if the caller allows the range of this IP address",
    (ipAddress, allowed, expected) => {
      expect(isAllowedAddress(ipAddress, allowed)).toBe(expected);
    },
  );
});

describe("sendOutboundRequest", () => {
  it("sendOutboundRequest returns status, headers and body of the response", async () => {
    const origin = await serve((_request, response) =>
      response.writeHead(404, { "x-test": "a" }).end("not here"),
    );
    const response = await sendOutboundRequest(new URL("/path", origin), GET);
    expect(response).toMatchObject({ status: 404, url: new URL("/path", origin) });
    expect(response.headers.get("x-test")).toBe("a");
    expect(Buffer.from(response.body).toString()).toBe("not here");
  });

  it("sendOutboundRequest sends the body of a POST request, and returns a redirect response without following the redirect", async () => {
    const requests: string[] = [];
    const origin = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      requests.push(`${request.method} ${request.url} ${request.headers["content-length"]} ${body}`);
      response.writeHead(307, { location: "/other" }).end();
    });
    const { redirectsMax: _, ...limits } = GET;
    const response = await sendOutboundRequest(origin, { ...limits, method: "POST", body: "é=1" });
    expect(response.status).toBe(307);
    expect(requests).toEqual(["POST / 4 é=1"]);
  });

  it.each([
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/",
  ])("sendOutboundRequest refuses the URL %s before it opens a connection", async (url) => {
    expect(await failureOf(url, { ...GET, allow: {} })).toBe("forbidden_address");
  });

  it.each([
    ["http", "http://127.0.0.1/", {}],
    ["credentials", "https://user:secret@127.0.0.1/", {}],
    ["another scheme", "ftp://127.0.0.1/", { http: "always" }],
    ["http of an address that is not loopback", "http://10.0.0.1/", { http: "loopback" }],
  ] as const)(
    "sendOutboundRequest refuses a URL with %s",
    async (_kind, url, { http = "never" }: { http?: OutboundRequest["http"] }) => {
      const ranges = parseTrustedProxies("10.0.0.0/8");
      expect(await failureOf(url, { ...GET, http, allow: { loopback: true, ranges } })).toBe("invalid_url");
    },
  );

  it.each([
    ["http://169.254.169.254/", "forbidden_address"],
    ["http://[::1]:1/", "forbidden_address"],
    ["http://[::ffff:a9fe:a9fe]/", "forbidden_address"],
    ["http://10.0.0.1/", "forbidden_address"],
    ["http://user:secret@127.0.0.1/", "invalid_url"],
    ["file:///etc/passwd", "invalid_url"],
    ["http://[", "invalid_url"],
    ["/again", "too_many_redirects"],
  ])("sendOutboundRequest refuses a redirect to %s", async (location, failure) => {
    const origin = await serve((_request, response) => response.writeHead(302, { location }).end());
    const ranges = parseTrustedProxies("127.0.0.1");
    expect(await failureOf(origin, { ...GET, allow: { ranges } })).toBe(failure);
  });

  it("sendOutboundRequest sends only the header accept after a redirect to another origin", async () => {
    const received: (readonly [unknown, unknown, unknown])[] = [];
    const record: RequestListener = (request, response) => {
      const { authorization, accept, cookie } = request.headers;
      received.push([authorization, accept, cookie]);
      response.end("{}");
    };
    const target = await serve(record);
    const origin = await serve((request, response) => {
      record(request, response.writeHead(302, { location: target.href, "set-cookie": "a=1" }));
    });
    await sendOutboundRequest(origin, {
      ...GET,
      headers: { authorization: "Bearer a", accept: "text/plain" },
    });
    expect(received).toEqual([
      ["Bearer a", "text/plain", undefined],
      [undefined, "text/plain", undefined],
    ]);
  });

  it("sendOutboundRequest connects to the IP address that was checked, and also checks the IP address of a redirect target", async () => {
    const hosts: unknown[] = [];
    const { port } = await serve((request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(302, { location: "/second" }).end();
    });
    const answers = ["127.0.0.1", "10.0.0.1"];
    const resolve: ResolveHost = async () => [{ address: answers.shift() ?? "127.0.0.1", family: 4 }];
    expect(await failureOf(`http://rebind.invalid:${port}/`, { ...GET, resolve })).toBe("forbidden_address");
    expect(hosts).toEqual([`rebind.invalid:${port}`]);
    expect(answers).toEqual([]);
  });

  it("sendOutboundRequest refuses a host even if only one of its IP addresses is not public", async () => {
    const resolve: ResolveHost = async () => [
      { address: "93.184.215.14", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    expect(await failureOf("http://mixed.example/", { ...GET, resolve })).toBe("forbidden_address");
  });

  it("sendOutboundRequest refuses a response whose declared length is above the limit", async () => {
    const origin = await serve((_request, response) => response.end("a".repeat(1_001)));
    expect(await failureOf(origin)).toBe("too_large");
  });

  it("sendOutboundRequest stops reading an endless response at the size limit", async () => {
    const origin = await serve((_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write("a".repeat(500)));
      };
      response.on("drain", send);
      send();
    });
    expect(await failureOf(origin)).toBe("too_large");
  });

  it("sendOutboundRequest requests an uncompressed response and refuses a compressed response", async () => {
    const encodings: unknown[] = [];
    const origin = await serve((request, response) => {
      encodings.push(request.headers["accept-encoding"]);
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("a".repeat(1_000_000)));
    });
    expect(await failureOf(origin)).toBe("compressed");
    expect(encodings).toEqual(["identity"]);
  });

  it.each<[string, RequestListener]>([
    ["sends no response", () => undefined],
    [
      "sends one byte after the other",
      (_request, response) => {
        const drip = setInterval(() => response.write("a"), 20);
        response.on("close", () => clearInterval(drip));
      },
    ],
    [
      "redirects slowly",
      (_request, response) => {
        setTimeout(() => response.writeHead(302, { location: "/" }).end(), 30);
      },
    ],
  ])("a request ends at the deadline if the server %s", async (_kind, listener) => {
    const origin = await serve(listener);
    expect(await failureOf(origin, { ...GET, deadlineMs: 150, redirectsMax: 100 })).toBe("deadline");
  });

  it("sendOutboundRequest fails at the deadline if the name server does not respond", async () => {
    const resolve: ResolveHost = () => new Promise(() => undefined);
    expect(await failureOf("http://slow.example/", { ...GET, deadlineMs: 50, resolve })).toBe("deadline");
  });

  it.each<[string, RequestListener]>([
    ["closes the connection", (request) => request.socket.destroy()],
    ["sends another protocol", (request) => request.socket.end("SSH-2.0-OpenSSH_9.0\r\n")],
    [
      "switches protocols",
      (request) =>
        request.socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
    [
      "ends the body early",
      (request) => request.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort"),
    ],
  ])(
    "sendOutboundRequest reports that the server is unreachable if the server %s",
    async (_kind, listener) => {
      expect(await failureOf(await serve(listener))).toBe("unreachable");
    },
  );
});
