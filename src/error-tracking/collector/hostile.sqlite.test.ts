import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { ERRORS_MAX, OVERFLOW } from "@/error-tracking/tracked-errors/recorded-events.ts";
import { errorEvents, ingestCounts, listErrors } from "@/error-tracking/tracked-errors/service.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { apiUser } from "@/testing/api.ts";
import { collectingProject, envelopeOf, serveCollector } from "@/testing/collector.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { runs } from "@/testing/long.ts";
import { countStatements } from "@/testing/statements.ts";

const deps = await openTestDeps();
let origin: string;
let shop: Awaited<ReturnType<typeof collectingProject>>;
let quiet: Awaited<ReturnType<typeof collectingProject>>;

beforeAll(async () => {
  origin = await serveCollector();
  const { user } = await apiUser(deps, "ann");
  shop = await collectingProject(deps, user, "shop");
  quiet = await collectingProject(deps, user, "quiet");
});

const MEGABYTE = 1_048_576;
const STATEMENTS_MAX = 40;
const statements = countStatements();

async function send(
  body: Uint8Array | string,
  headers: Record<string, string> = {},
  endpoint = "envelope",
  at = shop,
) {
  const url = `${origin}/api/${at.project.id}/${endpoint}/?sentry_key=${at.key}`;
  const response = await fetch(url, { method: "POST", headers, body: Buffer.from(body) });
  await response.arrayBuffer();
  return response.status;
}

const ANY = { status: null, environment: null, query: null, sort: "last_seen", page: 1, perPage: 5 } as const;

/**
 * The maximum growth of the memory use of the process. If the server decompressed all bodies of the test
 * completely, the memory use would grow by forty times this maximum.
 */
const MEMORY_GROWTH_MAX = 150 * MEGABYTE;

/**
 * Calls `run`, collects the garbage, and returns by how many bytes the memory use of the process has grown.
 */
async function growthBy(run: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  await run();
  globalThis.gc?.();
  return process.memoryUsage().rss - before;
}

it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  // The test uses the lowest Brotli quality, which is the fastest, because only the decompressed size
  // matters.
  ["br", (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })],
])(
  "the collector rejects a hundred decompression bombs in the encoding %s, and decompresses none of them completely",
  async (encoding, pack) => {
    const bomb = pack(new Uint8Array(64 * MEGABYTE));
    expect(bomb.length).toBeLessThan(MEGABYTE);
    const grown = await growthBy(async () => {
      const bombs = Array.from({ length: 100 }, () => send(bomb, { "content-encoding": encoding }));
      expect(new Set(await Promise.all(bombs))).toEqual(new Set([413]));
    });
    expect(grown).toBeLessThan(MEMORY_GROWTH_MAX);
  },
);

it("after the collector has parsed or rejected deep, wide and endless JSON, no memory stays allocated", async () => {
  const bodies = [
    "[".repeat(MEGABYTE - 10),
    `{"exception":${'{"values":['.repeat(50_000)}`,
    `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    `{"exception":{"values":[${'{"type":"E"},'.repeat(60_000)}{}]}}`,
    `{"tags":{${Array.from({ length: 40_000 }, (_, at) => `"t${at}":"v"`).join(",")}}}`,
    `{"message":"${"\\u0000\\ud800".repeat(80_000)}"}`,
    `{"message":"${"x".repeat(1_000_000)}"}`,
    `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"message":"p"}`,
    `{"fingerprint":[${'"{{ default }}",'.repeat(10_000)}"x"],"message":"?&token=${"?&;#".repeat(50_000)}"}`,
    `{"breadcrumbs":{"values":[${`{"message":"${"?token".repeat(60)}://"},`.repeat(2_000)}{}]}}`,
  ];
  const statuses = await Promise.all(bodies.map((body) => send(body, {}, "store")));
  for (const status of statuses) expect([200, 400]).toContain(status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(6);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

it("the collector executes at most a small, fixed number of SQL statements for any content of the request", async () => {
  const long = (unit: string) => unit.repeat(Math.floor(20_000 / unit.length));
  const units = ["?token", "://", "a.", "0x", "@", "ghat_", "bearer ", "-", "9", "[.", "?&", "a-1"];
  const frames = units.map((unit) => ({ function: long(unit), filename: long(unit), in_app: true }));
  const counts: number[] = [];
  for (const unit of ["x ", ...units]) {
    const text = long(unit);
    const event = {
      message: text,
      exception: { values: [{ type: text, value: text, stacktrace: { frames } }] },
      request: { url: text, query_string: text, headers: { a: text } },
      breadcrumbs: Array.from({ length: 40 }, () => ({ message: text, data: { url: text } })),
    };
    const before = statements();
    expect(await send(JSON.stringify(event), {}, "store")).toBeLessThan(500);
    counts.push(statements() - before);
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(STATEMENTS_MAX);
});

it("the collector never responds with a server error to a body in a wrong character encoding or with a wrong Content-Encoding", async () => {
  const event = Buffer.from('{"message":"Größe"}', "latin1");
  expect(await send(event, {}, "store")).toBe(200);
  expect(await send(Buffer.from("\ufeff{}"), {}, "store")).toBe(400);
  expect(await send(Buffer.from('{"message":"a"}', "utf16le"), {}, "store")).toBe(400);
  for (const encoding of ["gzip", "deflate", "br"])
    for (const body of [
      Buffer.alloc(0),
      Buffer.from("x"),
      gzipSync("{}").subarray(0, 12),
      Buffer.alloc(5_000, 0xff),
    ])
      expect(await send(body, { "content-encoding": encoding }, "store")).toBe(400);
});

it("the collector never responds to random requests with a server error", async () => {
  const member = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.constant("{{ default }}"),
  );
  const name = fc.constantFrom(
    ...[
      "event_id",
      "timestamp",
      "level",
      "platform",
      "environment",
      "release",
      "transaction",
      "message",
      "logentry",
    ],
    ...["exception", "fingerprint", "tags", "user", "request", "breadcrumbs", "contexts", "sdk", "type"],
  );
  const event = fc.dictionary(name, member).map((all) => JSON.stringify(all));
  const item = fc.tuple(
    fc.constantFrom("event", "client_report", "session", "x"),
    fc.oneof(event, fc.string()),
  );
  const envelope = fc.array(item, { maxLength: 4 }).map((items) => Buffer.from(envelopeOf(items)));
  const torn = fc.tuple(envelope, fc.nat(), fc.nat(255)).map(([bytes, at, byte]) => {
    const copy = Buffer.from(bytes);
    copy[at % copy.length] = byte;
    return copy.subarray(0, 1 + (at % copy.length));
  });
  const encoding = fc.constantFrom("", "identity", "gzip", "deflate", "br", "zstd", "compress");
  const body = fc.oneof(
    envelope,
    torn,
    event.map((text) => Buffer.from(text)),
    fc.uint8Array(),
  );
  const packed = body.chain((bytes) => fc.constantFrom(bytes, gzipSync(bytes), deflateSync(bytes)));
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      packed,
      encoding,
      fc.constantFrom("envelope", "store"),
      async (bytes, encodedAs, endpoint) => {
        const status = await send(bytes, encodedAs === "" ? {} : { "content-encoding": encodedAs }, endpoint);
        statuses.add(status);
        expect([200, 400, 413, 415]).toContain(status);
      },
    ),
    { numRuns: runs({ short: 150, long: 1_500 }) },
  );
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 415]));
  expect(deps.logged.filter(({ level }) => level === "error")).toEqual([]);
});

it("the collector limits the storage that a large number of different tracked errors uses, and does not affect other projects", async () => {
  await changeSettings(deps, { error_events_per_minute: "0", new_errors_per_hour: "0" });
  expect(await send(envelopeOf([["event", { message: "ours" }]]), {}, "envelope", quiet)).toBe(200);
  const before = await ingestCounts(deps, shop.project, "24h");
  const waves = Math.ceil(ERRORS_MAX / 100) + 2;
  for (let wave = 0; wave < waves; wave++) {
    const items = Array.from({ length: 100 }, (_, at) => {
      const fingerprint = [`flood ${wave} ${at}`];
      return [
        "event",
        { message: "flood", fingerprint, user: { id: `${wave} ${at}` }, environment: `${at}` },
      ] as const;
    });
    expect(await send(envelopeOf(items))).toBe(200);
  }
  const all = await listErrors(deps, shop.project, { ...ANY, sort: "count" });
  expect(all.total).toBe(ERRORS_MAX + 1);
  const overflow = all.errors.find(({ name }) => name === OVERFLOW.name);
  expect(overflow?.eventCount).toBeGreaterThan(100);
  expect(await errorEvents(deps, shop.project, overflow?.id ?? 0)).toHaveLength(50);
  const accepted = (counts: Awaited<ReturnType<typeof ingestCounts>>) =>
    counts.find(({ outcome }) => outcome === "accepted")?.count ?? 0;
  const after = await ingestCounts(deps, shop.project, "24h");
  expect(accepted(after) - accepted(before)).toBe(waves * 100);
  const { _sum } = await deps.db.trackedError.aggregate({
    where: { projectId: shop.project.id },
    _sum: { eventCount: true },
  });
  expect(_sum.eventCount).toBe(accepted(after));
  expect(await send(envelopeOf([["event", { message: "ours" }]]), {}, "envelope", quiet)).toBe(200);
  const others = await listErrors(deps, quiet.project, ANY);
  expect(others.errors.map(({ message, eventCount }) => [message, eventCount])).toEqual([["ours", 2]]);
});
