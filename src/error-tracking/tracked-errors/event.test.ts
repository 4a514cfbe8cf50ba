import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvent, readEventId } from "./event.ts";
import { occurredAt, searchTextOf, storedPayload, titleOf } from "./rules.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");

/** A shortened event of @sentry/node. */
const SENT = {
  event_id: "0123456789ABCDEF0123456789abcdef",
  timestamp: NOW.getTime() / 1000 - 2.5,
  platform: "node",
  level: "fatal",
  environment: "production",
  release: "shop@4.1.0",
  server_name: "web-3",
  transaction: "POST /orders",
  sdk: { name: "sentry.javascript.node", version: "11.8.0", packages: [{ name: "npm:x" }] },
  exception: {
    values: [
      {
        type: "TypeError",
        value: "Cannot read properties of undefined",
        mechanism: { type: "generic", handled: false },
        stacktrace: {
          frames: [
            { filename: "node:internal/timers", module: "timers", function: "tick", in_app: false },
            {
              filename: "/srv/orders.js",
              module: "orders",
              function: "charge",
              lineno: 12,
              colno: 4,
              in_app: true,
              pre_context: ["a", "b"],
              context_line: "  pay(order);",
              post_context: ["c"],
            },
          ],
        },
      },
    ],
  },
  breadcrumbs: [
    { timestamp: "2026-11-21T11:59:00Z", category: "http", data: { url: "/x?token=t1", status: 200 } },
  ],
  tags: { region: "eu", api_key: "k1", nested: { a: 1 } },
  request: {
    url: "https://ann:pw1@shop.example/orders?id=7&access_token=t2",
    method: "POST",
    headers: {
      Cookie: "c1",
      Authorization: "Bearer b1",
      "X-Api-Key": "k2",
      "User-Agent": "Mozilla",
      "X-Real-Ip": "9.9.9.9",
    },
    cookies: { session: "c2" },
    data: { password: "p1" },
    query_string: "id=7&password=p2",
  },
  user: { id: 42, username: "ann", email: "ann@example.com", ip_address: "9.9.9.9" },
  contexts: { os: { name: "Debian", version: 12 }, browser: null, trace: { trace_id: "x" } },
  extra: { secret: "e1" },
};

describe("an event of an SDK", () => {
  it("an event of an SDK is parsed with all its fields", () => {
    const event = readEvent(SENT);
    expect(event).toMatchObject({
      eventId: "0123456789abcdef0123456789abcdef",
      at: new Date(NOW.getTime() - 2500),
      level: "fatal",
      platform: "node",
      environment: "production",
      release: "shop@4.1.0",
      user: "id:42",
    });
    const { exceptions, ...payload } = event.payload;
    expect(exceptions).toEqual([
      {
        type: "TypeError",
        value: "Cannot read properties of undefined",
        module: "",
        handled: false,
        frames: [
          {
            function: "tick",
            module: "timers",
            file: "node:internal/timers",
            line: null,
            column: null,
            inApp: false,
          },
          {
            function: "charge",
            module: "orders",
            file: "/srv/orders.js",
            line: 12,
            column: 4,
            inApp: true,
            context: { before: ["a", "b"], line: "  pay(order);", after: ["c"] },
          },
        ],
      },
    ]);
    expect(payload).toMatchObject({
      transaction: "POST /orders",
      serverName: "web-3",
      user: { id: "42", username: "ann" },
      contexts: { os: { name: "Debian", version: "12" } },
      sdk: { name: "sentry.javascript.node", version: "11.8.0" },
      tags: [
        ["region", "eu"],
        ["api_key", "[filtered]"],
      ],
    });
  });

  it("an event is stored without cookies, request bodies, the IP addresses and e-mail addresses of users, and values that look like secrets", () => {
    const json = storedPayload(readEvent(SENT).payload);
    for (const secret of [
      "c1",
      "c2",
      "b1",
      "k1",
      "k2",
      "t1",
      "t2",
      "pw1",
      "p1",
      "p2",
      "e1",
      "9.9.9.9",
      "example.com",
    ])
      expect(
        json.includes(`"${secret}`) || json.includes(`=${secret}`) || json.includes(`${secret}"`),
        secret,
      ).toBe(false);
    expect(json).toContain("id=7");
    expect(json).toContain("Mozilla");
  });

  it.each<[string, unknown, string]>([
    ["a message string", { message: "Out of stock" }, "Out of stock"],
    [
      "a formatted message with its template",
      { logentry: { message: "No %s", formatted: "No tea" } },
      "No tea",
    ],
    ["a message in an object with only the formatted text", { message: { formatted: "No tea" } }, "No tea"],
    [
      "a template with a list of parameters",
      { logentry: { message: "No %s, 100%% sure, %.2f of {}", params: ["tea", 2, true] } },
      "No tea, 100% sure, 2 of {}",
    ],
    [
      "a template with a percent sign and parameters in braces",
      { logentry: { message: "100% of {0}, {!r} and {:.2f}", params: ["tea", 2] } },
      "100% of tea, tea and 2",
    ],
    [
      "a template with named parameters",
      { logentry: { message: "No {what} for {who} in {0}", params: { what: "tea", who: "ann" } } },
      "No tea for ann in {0}",
    ],
    [
      "a template of Python with named parameters",
      { logentry: { message: "No %(what)s for %(who)s", params: { what: "tea", who: "ann" } } },
      "No tea for ann",
    ],
    [
      "a template whose parameter is in the place of a secret",
      { logentry: { message: "GET %s?token=%s for %s", params: ["/x", "k9 k&l", "ann"] } },
      "GET /x?token=[filtered] for ann",
    ],
    [
      "a template whose parameter is a password in a URL",
      { logentry: { message: "Connect to postgres://app:%s@%s", params: ["k9/k@l", "db"] } },
      "Connect to postgres://[filtered]@db",
    ],
    [
      "a template with bytes of a URL",
      { logentry: { message: "GET /a%2Fb took {ms}", params: { ms: 7 } } },
      "GET /a%2Fb took 7",
    ],
    [
      "a template with secret parameters",
      { logentry: { message: "Login with {password} and {token}", params: { password: "k7", token: "k8" } } },
      "Login with [filtered] and [filtered]",
    ],
    ["a template without parameters", { logentry: { message: "No %s, 100%%" } }, "No %s, 100%%"],
    ["a template with a single value", { logentry: { message: "No %s", params: "tea" } }, "No %s"],
    ["a single exception", { exception: { type: "E", value: "broken" } }, "broken"],
    [
      "an array of exceptions",
      {
        exception: [
          { type: "E", value: "first" },
          { type: "F", value: "last" },
        ],
      },
      "last",
    ],
  ])("the parser of events accepts %s", (_what, event, message) => {
    expect(titleOf(readEvent(event as Record<string, unknown>)).message).toBe(message);
  });

  it("the tags of an event may be an object or an array of pairs", () => {
    const tags = [["a", 1], ["b", true], "c", ["d", { e: 1 }]];
    expect(readEvent({ tags }).payload.tags).toEqual([
      ["a", "1"],
      ["b", "true"],
    ]);
  });

  it("an event is stored with replacement characters for characters that a database cannot store", () => {
    const event = readEvent({ message: "a\0b\ud800c", environment: "\0", tags: { "\0": "\udfff" } });
    expect(event.payload.message).toBe("a\u{FFFD}b\u{FFFD}c");
    expect(event.environment).toBe("\u{FFFD}");
    expect(event.payload.tags).toEqual([["\u{FFFD}", "\u{FFFD}"]]);
    expect(readEvent({ message: `${"x".repeat(998)}😀😀` }).payload.message).not.toMatch(/\p{Surrogate}/u);
  });

  it("the stored size of a large event is limited", () => {
    const frame = {
      function: "f".repeat(1e4),
      filename: "\u0001".repeat(1e4),
      context_line: "x".repeat(1e4),
    };
    const frames = Array.from({ length: 5000 }, (_, lineno) => ({ ...frame, lineno, in_app: true }));
    const values = Array.from({ length: 100 }, () => ({ type: "E".repeat(1e4), stacktrace: { frames } }));
    const breadcrumbs = Array.from({ length: 1000 }, () => ({
      message: "m".repeat(1e4),
      data: { url: "u".repeat(1e4) },
    }));
    const tags = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`t${at}`, "v".repeat(1e4)]));
    const { payload } = readEvent({ exception: { values }, breadcrumbs, tags });
    expect(payload.exceptions.length).toBeLessThanOrEqual(6);
    expect(payload.exceptions.every((exception) => exception.frames.length <= 60)).toBe(true);
    // Of a deep stack trace, only the outermost and the innermost stack frames are stored.
    expect(payload.exceptions[0]?.frames[0]?.line).toBe(0);
    expect(payload.exceptions[0]?.frames.at(-1)?.line).toBe(4999);
    const stored = storedPayload(payload);
    expect(stored.length).toBeLessThan(100_000);
    expect(JSON.parse(stored).exceptions).toHaveLength(1);
  });

  it("any JSON value can be parsed as an event without an exception", () => {
    const names = Object.keys(SENT);
    const anything = fc.dictionary(
      fc.constantFrom(...names, "message", "logentry", "fingerprint"),
      fc.anything(),
    );
    fc.assert(
      fc.property(anything, (value) => {
        const event = readEvent(JSON.parse(JSON.stringify(value) ?? "{}"));
        const stored = storedPayload(event.payload);
        expect(stored).not.toMatch(/\\u0000|\\ud[89a-f]/);
        const title = titleOf(event);
        expect(title.name).not.toBe("");
        expect(searchTextOf(title).length).toBeLessThanOrEqual(1500);
        expect(Number.isNaN(occurredAt(event, NOW).getTime())).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe("readEventId", () => {
  it.each<[unknown, string | null]>([
    ["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"],
    ["01234567-89AB-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef"],
    ["0123456789abcdef0123456789abcde", null],
    ["0123456789abcdef0123456789abcdeg", null],
    ["", null],
    [7, null],
    [undefined, null],
  ])("readEventId converts the event ID %j to %j", (eventId, id) => {
    expect(readEventId(eventId)).toBe(id);
  });
});

describe("the time of an event", () => {
  it.each<[string, unknown, string]>([
    ["the number of seconds that the SDK sent", NOW.getTime() / 1000 - 60, "2026-11-21T11:59:00.000Z"],
    ["the time in a text with a time zone", "2026-11-21T13:00:00+02:00", "2026-11-21T11:00:00.000Z"],
    ["the UTC time in a text without a time zone", "2026-11-21T11:00:00.5", "2026-11-21T11:00:00.500Z"],
    ["the time of receipt if the SDK sent no time", undefined, NOW.toISOString()],
    ["the time of receipt if the SDK sent a text that is not a time", "yesterday", NOW.toISOString()],
    ["the time of receipt if the number is too large", 1e300, NOW.toISOString()],
    [
      "the time of receipt if the SDK sent a time in the future",
      NOW.getTime() / 1000 + 3600,
      NOW.toISOString(),
    ],
    ["the time of receipt if the SDK sent a time that is too old", 0, NOW.toISOString()],
  ])("the time of an event is %s", (_what, timestamp, expected) => {
    expect(occurredAt(readEvent({ timestamp }), NOW).toISOString()).toBe(expected);
  });
});

describe("the level of an event", () => {
  it.each<[unknown, string]>([
    ["warning", "warning"],
    ["WARNING", "error"],
    [undefined, "error"],
    [{}, "error"],
  ])("the level of an event is stored as $1 if the SDK sent %j", (level, expected) => {
    expect(readEvent({ level }).level).toBe(expected);
  });
});
