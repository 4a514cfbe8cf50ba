import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { changeSettings as changeTracking } from "@/error-tracking/settings/service.ts";
import { openCollector, type RequestParts } from "@/testing/collecting-server.ts";
import { collectingProject, envelopeOf } from "@/testing/collector.ts";
import { conformance } from "@/testing/conformance.ts";

const { deps, ID, ann, post, event, messages, counts, origin, currentProject } = await openCollector();

describe("an event that an SDK reports", () => {
  it("an event is visible when the SDK receives the response with the event ID", async () => {
    const { status, headers, body } = await post();
    expect([status, body]).toEqual([200, { id: ID }]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe(
      "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After",
    );
    expect(await messages()).toEqual(["a"]);
  });

  it.each(["/api/ID/envelope", "/api/ID/envelope/", "/ID/envelope", "/ID/envelope/"])(
    "an event is accepted at the path %s",
    async (path) => {
      expect((await post({ path: path.replace("ID", String(currentProject().project.id)) })).status).toBe(
        200,
      );
      expect(await messages()).toEqual(["a"]);
    },
  );

  it.each(["/api/ID/store", "/api/ID/store/", "/ID/store", "/ID/store/"])(
    "an event is accepted as plain JSON at the path %s",
    async (path) => {
      const request = {
        path: path.replace("ID", String(currentProject().project.id)),
        body: JSON.stringify({ message: "a" }),
      };
      const { status, body } = await post(request);
      expect([status, body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
      expect(await messages()).toEqual(["a"]);
    },
  );

  it("an event without an ID gets the ID in its envelope header, or a new ID if the envelope header contains no ID", async () => {
    const other = "f".repeat(32);
    const nameless = envelopeOf([["event", { message: "a" }]], { event_id: other });
    expect((await post({ body: Buffer.from(nameless) })).body).toEqual({ id: other });
    const generated = await post({
      body: Buffer.from(envelopeOf([["event", { message: "a" }]], { event_id: "x" })),
    });
    expect(generated.body).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const stored = await deps.db.errorEvent.findMany({
      select: { eventId: true },
      orderBy: { slot: "desc" },
      take: 1,
    });
    expect(stored[0]?.eventId).toBe(generated.body["id"]);
  });

  it.each<[string, (body: Uint8Array) => Uint8Array]>([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["GZIP", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["identity", (body) => body],
    ["", (body) => body],
  ])("an event is accepted with the Content-Encoding %s", async (encoding, encode) => {
    const headers = { "content-encoding": encoding, "content-type": "text/plain;charset=UTF-8" };
    expect((await post({ headers, body: Buffer.from(encode(event("a"))) })).status).toBe(200);
    expect(await messages()).toEqual(["a"]);
  });

  it("an event is accepted in a chunked request without Content-Length and Content-Type", async () => {
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const byte of event("a")) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const url = `${origin}/api/${currentProject().project.id}/envelope/?sentry_key=${currentProject().key}`;
    const response = await fetch(url, { method: "POST", body: stream, duplex: "half" } as RequestInit);
    expect(response.status).toBe(200);
    expect(await messages()).toEqual(["a"]);
  });
});

describe("the client key of a request", () => {
  it.each<[string, (key: string) => RequestParts]>([
    [
      "X-Sentry-Auth",
      (key) => ({ headers: { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${key}` } }),
    ],
    ["Authorization", (key) => ({ headers: { authorization: `Sentry sentry_key=${key}` } })],
    [
      "the envelope's DSN",
      (key) => ({
        body: Buffer.from(
          envelopeOf([["event", { message: "a" }]], { dsn: `http://${key}:old@localhost/x/1` }),
        ),
      }),
    ],
  ])("the client key is accepted in %s", async (_where, request) => {
    expect((await post({ query: "", ...request(currentProject().key) })).status).toBe(200);
    expect(await messages()).toEqual(["a"]);
  });

  it.each<[string, number, () => Promise<RequestParts> | RequestParts]>([
    ["is missing", 401, () => ({ query: "" })],
    ["is unknown", 401, () => ({ query: "?sentry_key=ghek_00000000000000000000000000000000" })],
    ["is malformed", 401, () => ({ query: "?sentry_key=%00%27--" })],
    [
      "is unknown and in a DSN",
      401,
      () => ({ query: "", body: Buffer.from(envelopeOf([], { dsn: "http://x@y/1" })) }),
    ],
    [
      "is inactive",
      403,
      async () => {
        await deps.db.errorTrackingClientKey.updateMany({
          where: { publicKey: currentProject().key },
          data: { active: false },
        });
        return {};
      },
    ],
    [
      "belongs to another project",
      404,
      async () => ({
        query: `?sentry_key=${(await collectingProject(deps, ann.user, `other${currentProject().project.id}`)).key}`,
      }),
    ],
    ["is for an unknown project", 404, () => ({ path: "/api/999999/envelope/" })],
    ["is for an invalid project id", 404, () => ({ path: "/api/x/envelope/" })],
    [
      "is for the project id in another notation",
      404,
      () => ({ path: `/api/0${currentProject().project.id}/envelope/` }),
    ],
    [
      "is for a project with error tracking off",
      404,
      async () => {
        await changeTracking(deps, currentProject().project, { active: false, integrated: true }, ann.user);
        return {};
      },
    ],
    [
      "is for a project with an external service",
      404,
      async () => {
        const setting = { active: true, integrated: false };
        await deps.db.errorTrackingSetting.updateMany({
          where: { projectId: currentProject().project.id },
          data: setting,
        });
        return {};
      },
    ],
  ])(
    "if the client key %s, the request is rejected with the status $1 and no event is stored",
    async (_what, status, prepare) => {
      const response = await post(await prepare());
      expect(response.status).toBe(status);
      const { detail } = response.body;
      expect(detail).toMatch(/\.$/);
      expect(response.headers.get("x-sentry-error")).toBe(detail);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(JSON.stringify(response.body)).not.toContain(currentProject().key);
      expect(await messages()).toEqual([]);
      expect(await counts()).toEqual([]);
    },
  );
});

describe("a request to the collector", () => {
  it.each<[string, number, string, () => RequestParts]>([
    ["without a body", 400, "malformed", () => ({ body: "" })],
    ["that is not an envelope", 400, "malformed", () => ({ body: "a=b" })],
    [
      "with an event that is not JSON",
      400,
      "malformed",
      () => ({ body: Buffer.from(envelopeOf([["event", "{"]])) }),
    ],
    [
      "with an event that is a list",
      400,
      "malformed",
      () => ({ body: Buffer.from(envelopeOf([["event", "[]"]])) }),
    ],
    [
      "with a platform of 256 characters",
      400,
      "malformed",
      () => ({ body: Buffer.from(envelopeOf([["event", { message: "a", platform: "p".repeat(256) }]])) }),
    ],
    [
      "with a platform of 256 characters in plain JSON",
      400,
      "malformed",
      () => ({
        path: `/api/${currentProject().project.id}/store/`,
        body: JSON.stringify({ message: "a", platform: "p".repeat(256) }),
      }),
    ],
    [
      "with an unknown Content-Type",
      415,
      "malformed",
      () => ({ headers: { "content-type": "application/gzip" }, body: gzipSync(event("a")) }),
    ],
    [
      "with an unknown Content-Encoding",
      415,
      "malformed",
      () => ({ headers: { "content-encoding": "compress" } }),
    ],
    ["with two encodings", 415, "malformed", () => ({ headers: { "content-encoding": "gzip, br" } })],
    [
      "that does not match its encoding",
      400,
      "malformed",
      () => ({ headers: { "content-encoding": "gzip" } }),
    ],
    [
      "with a truncated encoding",
      400,
      "malformed",
      () => ({
        headers: { "content-encoding": "gzip" },
        body: gzipSync(event("a".repeat(5000))).subarray(0, 40),
      }),
    ],
    ["that is too large", 413, "too_large", () => ({ body: "x".repeat(1_048_577) })],
    [
      "that is too large after decompression",
      413,
      "too_large",
      () => ({ headers: { "content-encoding": "gzip" }, body: gzipSync(event("a".repeat(2_097_152))) }),
    ],
    [
      "with too many items",
      413,
      "too_large",
      () => ({
        body: Buffer.from(
          envelopeOf(Array.from({ length: 101 }, () => ["event", { message: "a" }] as const)),
        ),
      }),
    ],
  ])(
    "a request %s is rejected with the status %d and counted as %s",
    async (_what, status, outcome, request) => {
      const response = await post(request());
      expect(response.status).toBe(status);
      expect(response.headers.get("x-sentry-error")).toBe(response.body["detail"]);
      expect(await counts()).toEqual([`${outcome} error 1`]);
      expect(await messages()).toEqual([]);
    },
  );

  it.each([
    "application/x-sentry-envelope",
    "application/json; charset=utf-8",
    "text/plain;charset=UTF-8",
    "Application/Octet-Stream",
  ])(
    "the collector accepts a request with the Content-Type %s and an event whose platform has 255 characters",
    async (type) => {
      const body = Buffer.from(envelopeOf([["event", { message: "a", platform: "p".repeat(255) }]]));
      expect((await post({ headers: { "content-type": type }, body })).status).toBe(200);
      expect(await messages()).toEqual(["a"]);
    },
  );

  it("a request whose body has exactly the maximum size is accepted", async () => {
    const body = envelopeOf([["event", { message: "a", extra: "x" }]]);
    const filled = envelopeOf([["event", { message: "a", extra: "x".repeat(1_048_576 - body.length - 5) }]]);
    expect(filled.length).toBeGreaterThan(1_048_570);
    expect((await post({ body: Buffer.from(filled) })).status).toBe(200);
    const large = envelopeOf([["event", { message: "a", extra: "x".repeat(2_090_000) }]]);
    const headers = { "content-encoding": "gzip" };
    expect((await post({ headers, body: gzipSync(large) })).status).toBe(200);
  });

  it("the CORS preflight response allows a custom request header", async () => {
    const url = `${origin}/api/${currentProject().project.id}/envelope/?sentry_key=${currentProject().key}`;
    const { status, headers } = await fetch(url, { method: "OPTIONS" });
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toContain("POST");
    for (const name of ["X-Sentry-Auth", "Content-Type", "sentry-trace", "baggage"])
      expect(headers.get("access-control-allow-headers")).toContain(name);
    expect((await fetch(url)).status).toBe(405);
  });
});

describe("the collector", () => {
  const store = () => `/api/${currentProject().project.id}/store/`;
  const headers = () => ({
    "content-type": "application/octet-stream",
    "x-sentry-auth": `Sentry sentry_version=5, sentry_client=raven-node/2.6.4, sentry_key=${currentProject().key}`,
  });
  const json = Buffer.from(JSON.stringify({ event_id: ID, message: "a" }));

  it.each<[string, Uint8Array | string]>([
    ["zlib data in base64, as sent by raven for Node.js", deflateSync(json).toString("base64")],
    [
      "zlib data in base64 with line breaks",
      deflateSync(json).toString("base64").replaceAll(/.{20}/g, "$&\r\n"),
    ],
    ["JSON in base64", json.toString("base64")],
    ["JSON", json],
  ])(
    conformance(
      "SC-28",
      "the collector accepts a request from raven, the oldest kind of SDK, whose body is %s",
    ),
    async (_what, body) => {
      const response = await post({ path: store(), query: "", headers: headers(), body: Buffer.from(body) });
      expect([response.status, response.body]).toEqual([200, { id: ID }]);
      expect(await messages()).toEqual(["a"]);
    },
  );

  it(
    conformance(
      "SC-28",
      "the collector rejects a request from a raven SDK if the decompressed body exceeds the size limit or has an unknown format",
    ),
    async () => {
      const bomb = deflateSync(Buffer.alloc(64_000_000, 0x20)).toString("base64");
      const request = { path: store(), query: "", headers: headers() };
      expect((await post({ ...request, body: bomb })).status).toBe(413);
      expect((await post({ ...request, body: "YWJjZA==" })).status).toBe(400);
      expect(
        (await post({ ...request, body: deflateSync(json).toString("base64").slice(0, 40) })).status,
      ).toBe(400);
      expect((await counts()).toSorted()).toEqual(["malformed error 2", "too_large error 1"]);
    },
  );
});
