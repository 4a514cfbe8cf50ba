import { randomBytes } from "node:crypto";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openCollector } from "@/testing/collecting-server.ts";
import { envelopeOf } from "@/testing/collector.ts";
import { conformance } from "@/testing/conformance.ts";

const { deps, ID, post, messages, counts, origin, currentProject } = await openCollector();

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

  it("an item that is not an event is accepted, dropped and counted, and a rate limit tells SDKs not to send such items", async () => {
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

  it("an envelope without events is accepted, and an envelope without items is also accepted", async () => {
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

  it("a transaction that an SDK sends to the endpoint for plain events is dropped", async () => {
    const path = `/api/${currentProject().project.id}/store/`;
    expect((await post({ path, body: '{"type":"transaction"}' })).status).toBe(200);
    expect(await counts()).toEqual(["not_kept transaction 1"]);
  });

  it("a client report is counted in a bounded number of categories", async () => {
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

  it("a malformed client report does not affect the events in the envelope", async () => {
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

  it("the quantities of client reports are added up without overflow, even if they are very large", async () => {
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

describe("the collector", () => {
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
    conformance(
      "SC-28",
      "the collector reads an envelope with a large attachment in the encoding %s, and stores the event of the envelope",
    ),
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
      "the collector stores the event of a large envelope without Content-Length even if only the envelope header contains the client key",
    ),
    async () => {
      const dsn = `http://${currentProject().key}@localhost/${currentProject().project.id}`;
      const body = new Blob([Buffer.from(envelopeOf([large(2 * MEBIBYTE), small], { dsn }))]).stream();
      const url = `${origin}/api/${currentProject().project.id}/envelope/`;
      const response = await fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
      expect(response.status).toBe(200);
      expect(
        (await post({ query: "", body: Buffer.from(envelopeOf([small, large(2 * MEBIBYTE)])) })).status,
      ).toBe(401);
      expect(await messages()).toEqual(["a"]);
    },
  );

  it(
    conformance(
      "SC-28",
      "if an attachment is too large, the collector does not read the whole attachment, and stores the event of the envelope",
    ),
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
      "if an envelope exceeds the read limit, the collector responds before the client has sent the whole envelope",
    ),
    async () => {
      const chunk = new Uint8Array(MEBIBYTE);
      let left = 40;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from('{}\n{"type":"attachment"}\n')),
        pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
      });
      const url = `${origin}/api/${currentProject().project.id}/envelope/?sentry_key=${currentProject().key}`;
      const response = await fetch(url, { method: "POST", body, duplex: "half" } as RequestInit);
      expect(response.status).toBe(413);
      expect((await counts()).toSorted()).toEqual(["too_large attachment 1", "too_large error 1"]);
    },
  );

  it(
    conformance(
      "SC-28",
      "if the event and the attachment of an envelope are too large, the collector responds with a rate limit for attachments",
    ),
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
    conformance(
      "SC-28",
      "the collector rejects an envelope as malformed if the envelope ends early or has a corrupt encoding",
    ),
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
