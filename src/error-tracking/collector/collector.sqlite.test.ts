import { randomBytes } from "node:crypto";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings as changeTracking } from "@/error-tracking/settings/service.ts";
import { ingestCounts, listErrors } from "@/error-tracking/tracked-errors/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { apiUser } from "@/testing/api.ts";
import { collectingProject, envelopeOf, serveCollector } from "@/testing/collector.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
const ID = "0123456789abcdef0123456789abcdef";
let origin: string;
let ann: Awaited<ReturnType<typeof apiUser>>;
let shop: Awaited<ReturnType<typeof collectingProject>>;
let projects = 0;

beforeAll(async () => {
  origin = await serveCollector();
  ann = await apiUser(deps, "ann");
});
beforeEach(async () => {
  shop = await collectingProject(deps, ann.user, `shop${++projects}`);
});

type RequestParts = Readonly<{
  path?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
}>;

const event = (message: string) => envelopeOf([["event", { event_id: ID, message }]]);

async function post({ path, query, headers = {}, body = Buffer.from(event("a")) }: RequestParts = {}) {
  const url = `${origin}${path ?? `/api/${shop.project.id}/envelope/`}${query ?? `?sentry_version=7&sentry_key=${shop.key}`}`;
  const response = await fetch(url, { method: "POST", headers, body, redirect: "manual" });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(text) as Record<string, unknown>,
  };
}

const messages = async (project = shop.project): Promise<readonly string[]> => {
  const any = {
    status: null,
    environment: null,
    query: null,
    sort: "first_seen",
    page: 1,
    perPage: 100,
  } as const;
  const { errors } = await listErrors(deps, project, any);
  return errors.map(({ message }) => message);
};
const counts = async () =>
  (await ingestCounts(deps, shop.project, "24h")).map(
    ({ outcome, category, count }) => `${outcome} ${category} ${count}`,
  );

describe("an event that an SDK reports", () => {
  it("is visible when the SDK receives the response with the event ID", async () => {
    const { status, headers, body } = await post();
    expect([status, body]).toEqual([200, { id: ID }]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe(
      "X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After",
    );
    expect(await messages()).toEqual(["a"]);
  });

  it.each(["/api/ID/envelope", "/api/ID/envelope/", "/ID/envelope", "/ID/envelope/"])(
    "is accepted at the path %s",
    async (path) => {
      expect((await post({ path: path.replace("ID", String(shop.project.id)) })).status).toBe(200);
      expect(await messages()).toEqual(["a"]);
    },
  );

  it.each(["/api/ID/store", "/api/ID/store/", "/ID/store", "/ID/store/"])(
    "is accepted as plain JSON at the path %s",
    async (path) => {
      const request = {
        path: path.replace("ID", String(shop.project.id)),
        body: JSON.stringify({ message: "a" }),
      };
      const { status, body } = await post(request);
      expect([status, body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
      expect(await messages()).toEqual(["a"]);
    },
  );

  it("gets the ID of its envelope if it has no ID, or a new ID if the envelope also has no ID", async () => {
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
  ])("is accepted with the Content-Encoding %s", async (encoding, encode) => {
    const headers = { "content-encoding": encoding, "content-type": "text/plain;charset=UTF-8" };
    expect((await post({ headers, body: Buffer.from(encode(event("a"))) })).status).toBe(200);
    expect(await messages()).toEqual(["a"]);
  });

  it("is accepted in chunks, without Content-Length and Content-Type", async () => {
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const byte of event("a")) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const url = `${origin}/api/${shop.project.id}/envelope/?sentry_key=${shop.key}`;
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
  ])("is accepted in %s", async (_where, request) => {
    expect((await post({ query: "", ...request(shop.key) })).status).toBe(200);
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
          where: { publicKey: shop.key },
          data: { active: false },
        });
        return {};
      },
    ],
    [
      "belongs to another project",
      404,
      async () => ({
        query: `?sentry_key=${(await collectingProject(deps, ann.user, `other${projects}`)).key}`,
      }),
    ],
    ["is for an unknown project", 404, () => ({ path: "/api/999999/envelope/" })],
    ["is for an invalid project id", 404, () => ({ path: "/api/x/envelope/" })],
    [
      "is for the project id in another notation",
      404,
      () => ({ path: `/api/0${shop.project.id}/envelope/` }),
    ],
    [
      "is for a project with error tracking off",
      404,
      async () => {
        await changeTracking(deps, shop.project, { active: false, integrated: true }, ann.user);
        return {};
      },
    ],
    [
      "is for a project with an external service",
      404,
      async () => {
        const setting = { active: true, integrated: false };
        await deps.db.errorTrackingSetting.updateMany({
          where: { projectId: shop.project.id },
          data: setting,
        });
        return {};
      },
    ],
  ])("is rejected when it %s, with the status %d, and no event is stored", async (_what, status, prepare) => {
    const response = await post(await prepare());
    expect(response.status).toBe(status);
    const { detail } = response.body;
    expect(detail).toMatch(/\.$/);
    expect(response.headers.get("x-sentry-error")).toBe(detail);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(JSON.stringify(response.body)).not.toContain(shop.key);
    expect(await messages()).toEqual([]);
    expect(await counts()).toEqual([]);
  });
});

describe("an item that is not an event", () => {
  const types = [
    "transaction",
    "span",
    "session",
    "sessions",
    "attachment",
    "user_report",
    "feedback",
    "log",
  ];
  const more = [
    "replay_event",
    "replay_recording",
    "profile",
    "profile_chunk",
    "check_in",
    "statsd",
    "unheard_of",
  ];

  it("is accepted, dropped and counted, and a rate limit tells SDKs not to send such items", async () => {
    const items = [...types, ...more].map((type) => [type, "anything\nat all"] as const);
    const { status, headers, body } = await post({
      body: Buffer.from(envelopeOf([["event", { message: "a" }], ...items])),
    });
    expect([status, body]).toEqual([200, { id: expect.any(String) }]);
    const limits = headers.get("x-sentry-rate-limits") ?? "";
    expect(limits).toMatch(/^86400:[a-z_;]+:organization$/);
    for (const category of ["transaction", "span", "session", "replay", "log_item", "profile"])
      expect(limits.split(":")[1]?.split(";")).toContain(category);
    expect(limits).not.toMatch(/error|default/);
    expect(await messages()).toEqual(["a"]);
    expect((await counts()).toSorted()).toEqual([
      "accepted error 1",
      "not_kept attachment 1",
      "not_kept feedback 2",
      "not_kept log_item 1",
      "not_kept metric_bucket 1",
      "not_kept monitor 1",
      "not_kept other 1",
      "not_kept profile 1",
      "not_kept profile_chunk 1",
      "not_kept replay 2",
      "not_kept session 2",
      "not_kept span 1",
      "not_kept transaction 1",
    ]);
  });

  it("is accepted in an envelope without events; an envelope without items is also accepted", async () => {
    for (const body of [
      envelopeOf([["client_report", { discarded_events: [] }]]),
      envelopeOf([]),
      Buffer.from("{}"),
    ]) {
      const response = await post({ body: Buffer.from(body) });
      expect([response.status, response.body]).toEqual([
        200,
        { id: expect.stringMatching(/^[0-9a-f]{32}$/) },
      ]);
    }
    expect(await counts()).toEqual([]);
  });

  it("is dropped if it is a transaction that an SDK sends to the endpoint for plain events", async () => {
    const path = `/api/${shop.project.id}/store/`;
    expect((await post({ path, body: '{"type":"transaction"}' })).status).toBe(200);
    expect(await counts()).toEqual(["not_kept transaction 1"]);
  });

  it("may be a client report, which is counted in a bounded number of categories", async () => {
    const loss = (reason: unknown, category: unknown, quantity: unknown) => ({ reason, category, quantity });
    const discarded_events = [
      loss("network_error", "error", 3),
      loss("ratelimit_backoff", "error", 4),
      loss("ratelimit_backoff", "span", 7),
      loss("sample_rate", "transaction", 1e300),
      loss("'; drop table", "\0", 2),
      loss("network_error", "error", -5),
      loss("network_error", "error", "many"),
      loss({}, [], 1),
      null,
    ];
    expect(
      (await post({ body: Buffer.from(envelopeOf([["client_report", { discarded_events }]])) })).status,
    ).toBe(200);
    expect(await counts()).toEqual([
      "client_sample_rate transaction 1000000",
      "not_kept span 7",
      "client_ratelimit_backoff error 4",
      "client_network_error error 3",
      "client_other other 3",
    ]);
  });

  it("may be a malformed client report, which does not affect the events in the envelope", async () => {
    const hostile = { toString: 1, valueOf: 1 };
    const discarded_events = [
      { reason: hostile, category: hostile, quantity: 1 },
      { reason: "network_error", category: ["error"], quantity: 2 },
      { reason: ["network_error"], category: "error", quantity: 3 },
      { reason: "network_error", category: "error", quantity: hostile },
    ];
    const items = [["event", { message: "a" }] as const, ["client_report", { discarded_events }] as const];
    expect((await post({ body: Buffer.from(envelopeOf(items)) })).status).toBe(200);
    expect(await messages()).toEqual(["a"]);
    expect((await counts()).toSorted()).toEqual([
      "accepted error 1",
      "client_network_error other 2",
      "client_other error 3",
      "client_other other 1",
    ]);
  });

  it("may be a client report with very large quantities, which are added up without overflow", async () => {
    const loss = { reason: "network_error", category: "error", quantity: 1e9 };
    const report = ["client_report", { discarded_events: Array.from({ length: 50 }, () => loss) }] as const;
    const body = Buffer.from(envelopeOf(Array.from({ length: 100 }, () => report)));
    const arrive = async () => {
      expect((await post({ body })).status).toBe(200);
    };
    await arrive();
    deps.advance(3600);
    await arrive();
    expect(await counts()).toEqual([`client_network_error error ${2 * 2_147_483_647}`]);
  });
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
        path: `/api/${shop.project.id}/store/`,
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
  ])("%s is rejected with the status %d and counted as %s", async (_what, status, outcome, request) => {
    const response = await post(request());
    expect(response.status).toBe(status);
    expect(response.headers.get("x-sentry-error")).toBe(response.body["detail"]);
    expect(await counts()).toEqual([`${outcome} error 1`]);
    expect(await messages()).toEqual([]);
  });

  it.each([
    "application/x-sentry-envelope",
    "application/json; charset=utf-8",
    "text/plain;charset=UTF-8",
    "Application/Octet-Stream",
  ])("is accepted with the Content-Type %s and a platform of 255 characters", async (type) => {
    const body = Buffer.from(envelopeOf([["event", { message: "a", platform: "p".repeat(255) }]]));
    expect((await post({ headers: { "content-type": type }, body })).status).toBe(200);
    expect(await messages()).toEqual(["a"]);
  });

  it("is accepted with a body of exactly the maximum size", async () => {
    const body = envelopeOf([["event", { message: "a", extra: "x" }]]);
    const filled = envelopeOf([["event", { message: "a", extra: "x".repeat(1_048_576 - body.length - 5) }]]);
    expect(filled.length).toBeGreaterThan(1_048_570);
    expect((await post({ body: Buffer.from(filled) })).status).toBe(200);
    const large = envelopeOf([["event", { message: "a", extra: "x".repeat(2_090_000) }]]);
    const headers = { "content-encoding": "gzip" };
    expect((await post({ headers, body: gzipSync(large) })).status).toBe(200);
  });

  it("may have a custom header, according to the CORS preflight response", async () => {
    const url = `${origin}/api/${shop.project.id}/envelope/?sentry_key=${shop.key}`;
    const { status, headers } = await fetch(url, { method: "OPTIONS" });
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-methods")).toContain("POST");
    for (const name of ["X-Sentry-Auth", "Content-Type", "sentry-trace", "baggage"])
      expect(headers.get("access-control-allow-headers")).toContain(name);
    expect((await fetch(url)).status).toBe(405);
  });
});

describe("an envelope with a large attachment", () => {
  const MEBIBYTE = 1_048_576;
  const large = (bytes: number) => ["attachment", randomBytes(bytes / 2).toString("hex")] as const;
  const small = ["event", { event_id: ID, message: "a" }] as const;
  type Encoding = readonly [name: string, pack: (body: Uint8Array) => Uint8Array];
  const encodings: readonly Encoding[] = [
    ["identity", (body) => body],
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
  ];

  it.each(encodings)(
    conformance("SC-28", "with the encoding %s is read, and its event is stored"),
    async (encoding, pack) => {
      const headers = { "content-encoding": encoding };
      for (const items of [
        [small, large(5 * MEBIBYTE)],
        [large(5 * MEBIBYTE), small],
      ]) {
        const response = await post({ headers, body: Buffer.from(pack(envelopeOf(items))) });
        expect([response.status, response.body]).toEqual([200, { id: ID }]);
        expect(response.headers.get("x-sentry-rate-limits")).toContain("attachment");
      }
      expect(await messages()).toEqual(["a"]);
      expect((await counts()).toSorted()).toEqual(["accepted error 2", "too_large attachment 2"]);
    },
  );

  it(
    conformance(
      "SC-28",
      "is read without Content-Length or with the client key only in the envelope header, and its event is stored",
    ),
    async () => {
      const dsn = `http://${shop.key}@localhost/${shop.project.id}`;
      const body = new Blob([Buffer.from(envelopeOf([large(2 * MEBIBYTE), small], { dsn }))]).stream();
      const url = `${origin}/api/${shop.project.id}/envelope/`;
      const response = await fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
      expect(response.status).toBe(200);
      expect(
        (await post({ query: "", body: Buffer.from(envelopeOf([small, large(2 * MEBIBYTE)])) })).status,
      ).toBe(401);
      expect(await messages()).toEqual(["a"]);
    },
  );

  it(
    conformance("SC-28", "is not read completely if the attachment is too large, and its event is stored"),
    async () => {
      const zeros = ["attachment", "0".repeat(40 * MEBIBYTE)] as const;
      const headers = { "content-encoding": "gzip" };
      const cut = await post({ headers, body: gzipSync(envelopeOf([small, zeros])) });
      expect(cut.status).toBe(200);
      expect((await counts()).toSorted()).toEqual(["accepted error 1", "too_large attachment 1"]);
      const refused = await post({ headers, body: gzipSync(envelopeOf([zeros, small])) });
      expect(refused.status).toBe(413);
      expect(refused.headers.get("x-sentry-rate-limits")).toBe("86400:attachment:organization");
      expect((await counts()).toSorted()).toEqual([
        "accepted error 1",
        "too_large attachment 2",
        "too_large error 1",
      ]);
    },
  );

  it(
    conformance(
      "SC-28",
      "that exceeds the read limit gets a response before the client has sent the whole envelope",
    ),
    async () => {
      const chunk = new Uint8Array(MEBIBYTE);
      let left = 40;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('{}\n{"type":"attachment"}\n')),
        pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
      });
      const url = `${origin}/api/${shop.project.id}/envelope/?sentry_key=${shop.key}`;
      const response = await fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
      expect(response.status).toBe(413);
      expect((await counts()).toSorted()).toEqual(["too_large attachment 1", "too_large error 1"]);
    },
  );

  it(
    conformance("SC-28", "is rejected with a rate limit of attachments if its event is too large as well"),
    async () => {
      const event = ["event", { message: "a".repeat(3 * MEBIBYTE) }] as const;
      const refused = await post({ body: Buffer.from(envelopeOf([event, large(2 * MEBIBYTE)])) });
      expect(refused.status).toBe(413);
      expect(refused.headers.get("x-sentry-rate-limits")).toBe("86400:attachment:organization");
      expect((await counts()).toSorted()).toEqual(["too_large attachment 1", "too_large error 1"]);
      expect(await messages()).toEqual([]);
    },
  );

  it(
    conformance("SC-28", "is rejected as malformed if it ends early or has a corrupt encoding"),
    async () => {
      const whole = Buffer.from(envelopeOf([small, large(2 * MEBIBYTE)]));
      expect((await post({ body: whole.subarray(0, 1_500_000) })).status).toBe(400);
      const packed = gzipSync(whole);
      const headers = { "content-encoding": "gzip" };
      expect((await post({ headers, body: packed.subarray(0, packed.length - 100) })).status).toBe(400);
      expect(await counts()).toEqual(["malformed error 2"]);
    },
  );
});

describe("a body of raven, the oldest kind of SDK", () => {
  const store = () => `/api/${shop.project.id}/store/`;
  const headers = () => ({
    "content-type": "application/octet-stream",
    "x-sentry-auth": `Sentry sentry_version=5, sentry_client=raven-node/2.6.4, sentry_key=${shop.key}`,
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
  ])(conformance("SC-28", "may be %s"), async (_what, body) => {
    const response = await post({ path: store(), query: "", headers: headers(), body: Buffer.from(body) });
    expect([response.status, response.body]).toEqual([200, { id: ID }]);
    expect(await messages()).toEqual(["a"]);
  });

  it(
    conformance("SC-28", "is rejected if it exceeds the limit after decompression, or has an unknown format"),
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

describe("an ingest quota", () => {
  it("applies per client key and minute, and rejected events are counted", async () => {
    await changeSettings(deps, { error_events_per_minute: "3" });
    const other = await collectingProject(deps, ann.user, `other${projects}`);
    for (let time = 0; time < 3; time++) expect((await post()).status).toBe(200);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("x-sentry-rate-limits")).toBe("60:error:key:quota");
    expect(refused.headers.get("x-sentry-error")).toBe(refused.body["detail"]);
    expect(await counts()).toEqual(["accepted error 3", "quota error 1"]);
    const path = `/api/${other.project.id}/envelope/`;
    expect((await post({ path, query: `?sentry_key=${other.key}` })).status).toBe(200);
    deps.advance(60);
    const two = Buffer.from(envelopeOf([1, 2].map((at) => ["event", { message: `${at}` }] as const)));
    expect((await post({ body: two })).status).toBe(200);
    expect((await post({ body: two })).status).toBe(429);
    expect((await post()).status).toBe(200);
    expect((await counts()).toSorted()).toEqual(["accepted error 6", "quota error 3"]);
    await changeSettings(deps, { error_events_per_minute: "6000" });
    expect((await post()).status).toBe(200);
  });

  it(
    conformance(
      "SC-09",
      "of new errors applies per client key and hour, and events beyond the quota get the status 200 and are counted",
    ),
    async () => {
      await changeSettings(deps, { new_errors_per_hour: "2" });
      const send = async (fingerprint: string) =>
        (await post({ body: Buffer.from(envelopeOf([["event", { message: fingerprint }]])) })).status;
      expect(await Promise.all(["a", "b", "a"].map(send))).toEqual([200, 200, 200]);
      expect(await Promise.all(["c", "d", "a", "c"].map(send))).toEqual([200, 200, 200, 200]);
      expect((await messages()).toSorted()).toEqual(["a", "b"]);
      expect((await counts()).toSorted()).toEqual(["accepted error 4", "new_errors error 3"]);
      deps.advance(3_600);
      expect(await send("c")).toBe(200);
      expect((await messages()).toSorted()).toEqual(["a", "b", "c"]);
      await changeSettings(deps, { new_errors_per_hour: "1000" });
    },
  );

  it(
    conformance("SC-09", "of stored bytes applies per project, and the oldest events are removed first"),
    async () => {
      await changeSettings(deps, { error_bytes_per_project: "20000" });
      const send = async (name: string) => {
        const event = {
          message: name,
          tags: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`t${at}`, "x".repeat(100)])),
        };
        expect((await post({ body: Buffer.from(envelopeOf([["event", event]])) })).status).toBe(200);
        deps.advance(1);
      };
      for (let at = 0; at < 12; at++) await send("x".repeat(at + 1));
      const stored = await deps.db.trackedError.findMany({
        where: { projectId: shop.project.id },
        orderBy: { id: "asc" },
        select: { events: { select: { payload: true } } },
      });
      const eventCounts = stored.map(({ events }) => events.length);
      expect(eventCounts).toEqual(eventCounts.toSorted());
      expect(eventCounts).toHaveLength(12);
      expect(eventCounts.filter((events) => events === 0).length).toBeGreaterThan(1);
      expect(eventCounts.at(-1)).toBe(1);
      expect((await counts()).toSorted()).toContainEqual(expect.stringMatching(/^storage error \d+$/));
      await changeSettings(deps, { error_bytes_per_project: "268435456" });
    },
  );

  it("applies only to events, so that client reports are still counted, and each rejected event is counted", async () => {
    await changeSettings(deps, { error_events_per_minute: "1" });
    expect((await post()).status).toBe(200);
    const report = (quantity: number) => {
      const discarded_events = [{ reason: "network_error", category: "error", quantity }];
      return ["client_report", { discarded_events }] as const;
    };
    const session = ["session", {}] as const;
    expect((await post({ body: Buffer.from(envelopeOf([report(5), session])) })).status).toBe(200);
    const many = Array.from({ length: 50 }, () => ["event", { message: "b" }] as const);
    const refused = await post({ body: Buffer.from(envelopeOf([...many, report(7), session])) });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-sentry-rate-limits")).toBe("60:error:key:quota");
    expect(await counts()).toEqual([
      "quota error 50",
      "client_network_error error 12",
      "not_kept session 2",
      "accepted error 1",
    ]);
    expect((await post({ body: "no envelope" })).status).toBe(400);
    await changeSettings(deps, { error_events_per_minute: "6000" });
  });

  it.each<[string, RequestParts]>([
    ["large", { body: Buffer.from(event("a".repeat(65_536))) }],
    [
      "too large after decompression",
      { headers: { "content-encoding": "gzip" }, body: gzipSync(event("a".repeat(262_144))) },
    ],
  ])("that is exhausted rejects a body that is %s without parsing it", async (_what, request) => {
    await changeSettings(deps, { error_events_per_minute: "1" });
    expect((await post(request)).status).toBe(200);
    const refused = await post(request);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await counts()).toSorted()).toEqual(["accepted error 1", "quota error 1"]);
    // The server does not parse the body.
    expect((await post({ body: "x".repeat(65_537) })).status).toBe(429);
    await changeSettings(deps, { error_events_per_minute: "6000" });
    expect((await post(request)).status).toBe(200);
  });
});
