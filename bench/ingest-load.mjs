// Sends the events of one round, in a separate process. The program reads the projects from standard input as
// JSON, and prints the results.
import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { requestText, sendRequests } from "./connections.mjs";
import { CONNECTIONS } from "./rows.mjs";

/** @type {{ baseUrl: string, projects: readonly { id: number, key: string }[], seconds: number }} */
const { baseUrl, projects, seconds } = JSON.parse(await text(process.stdin));
const GROUPS = 20;
const BODIES = 1_000;

const FUNCTIONS = [
  "handle",
  "processOrder",
  "chargeCard",
  "loadUser",
  "renderCart",
  "parseToken",
  "flushQueue",
];
const LINE = "  const total = items.reduce((sum, item) => sum + item.price.amount * item.count, 0);";

/**
 * Returns a stack frame in the format of an SDK for Node. The innermost stack frames contain the source lines
 * around the call.
 * @param {number} group
 * @param {number} at
 */
const frame = (group, at) => ({
  filename:
    at < 6 ? `/srv/shop/node_modules/express/lib/layer${at}.js` : `/srv/shop/src/orders/service-${at}.ts`,
  module: at < 6 ? `express.lib:layer${at}` : `orders:service-${at}`,
  function: `${FUNCTIONS[(at + group) % FUNCTIONS.length]}`,
  in_app: at >= 6,
  lineno: 100 + at,
  colno: 12,
  ...(at >= 9 ? { pre_context: [LINE, LINE, ""], context_line: LINE, post_context: [LINE, "}", ""] } : {}),
});

/**
 * Returns an error event. The event number determines the tracked error and the values of the fields that
 * vary.
 * @param {number} number
 */
const event = (number) => {
  const group = number % GROUPS;
  return {
    event_id: randomBytes(16).toString("hex"),
    timestamp: Date.now() / 1000,
    platform: "node",
    environment: number % 10 === 0 ? "staging" : "production",
    release: `shop@4.1.${number % 5}`,
    server_name: "web-3",
    transaction: "POST /orders/:id",
    sdk: { name: "sentry.javascript.node", version: "11.8.0" },
    contexts: { runtime: { name: "node", version: "v20" }, os: { name: "Debian", version: "12" } },
    exception: {
      values: [
        {
          type: `Error${String.fromCharCode(65 + group)}`,
          value: `Cannot read properties of undefined in order ${number}`,
          mechanism: { type: "generic", handled: false },
          stacktrace: { frames: Array.from({ length: 14 }, (_, at) => frame(group, at)) },
        },
      ],
    },
    breadcrumbs: Array.from({ length: 6 }, (_, at) => ({
      timestamp: Date.now() / 1000 - at,
      category: "http",
      level: "info",
      data: { url: `https://api.example.com/items/${at}?page=2`, "http.method": "GET", status_code: 200 },
    })),
    request: {
      url: `https://shop.example/orders/${number}`,
      method: "POST",
      headers: { host: "shop.example" },
    },
    user: { id: String(number % 300) },
    tags: { region: "eu", tier: "gold" },
  };
};

/** @param {ReturnType<typeof event>} one */
const envelope = (one) => {
  const body = JSON.stringify(one);
  const item = JSON.stringify({ type: "event", length: Buffer.byteLength(body) });
  return `${JSON.stringify({ event_id: one.event_id })}\n${item}\n${body}\n`;
};

const bodies = Array.from({ length: BODIES }, (_, number) => envelope(event(number)));
const paths = projects.map(
  ({ id, key }) => `/api/v4/error_tracking/collector/api/${id}/envelope/?sentry_version=7&sentry_key=${key}`,
);
/** @type {number[]} */
const milliseconds = [];
let answered = 0;

/**
 * Returns the HTTP requests for one connection. Each request sends one of forty different events.
 * @param {number} connection
 * @returns {import("./connections.mjs").Exchange}
 */
function exchangeOf(connection) {
  const requests = Array.from({ length: 40 }, (_, at) =>
    requestText(baseUrl, {
      method: "POST",
      path: paths[(connection + at) % paths.length] ?? "",
      body: bodies[(connection * 40 + at * 7) % BODIES] ?? "",
    }),
  );
  let sent = 0;
  return {
    next: () =>
      performance.now() - startedAt > seconds * 1000 ? null : (requests[sent++ % requests.length] ?? null),
    received: (response) => {
      if (response.status === 200) answered += 1;
      milliseconds.push(response.milliseconds);
    },
  };
}

const startedAt = performance.now();
const failedConnections = await sendRequests(baseUrl, CONNECTIONS, exchangeOf);
const elapsed = performance.now() - startedAt;
const sorted = Float64Array.from(milliseconds).sort();
const percentile = (/** @type {number} */ share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
process.stdout.write(
  JSON.stringify({
    eventsPerSecond: (sorted.length * 1000) / elapsed,
    p50: percentile(0.5),
    p99: percentile(0.99),
    answered,
    failures: sorted.length - answered + failedConnections,
    kilobytes: bodies.reduce((sum, body) => sum + body.length, 0) / BODIES / 1024,
  }),
);
