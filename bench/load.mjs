// Runs one round of load in a separate process.
// Reads a description of the load from standard input as JSON, and prints the results.
import { text } from "node:stream/consumers";
import { requestText, sendRequests } from "./connections.mjs";
import { CONNECTIONS, ROWS } from "./rows.mjs";

/**
 * @import { Facts } from "./rows.mjs"
 * @typedef {{ rowName: string, at: number, facts: Facts, tokens: readonly string[], seconds: number }} Load
 */

/** @type {Load} */
const { rowName, at, facts, tokens, seconds } = JSON.parse(await text(process.stdin));
const call = callOf(rowName, at);

/**
 * @param {string} rowName
 * @param {number} at
 */
function callOf(rowName, at) {
  const call = ROWS.find(({ name }) => name === rowName)?.calls[at];
  if (call === undefined) throw new Error(`The benchmark has no row "${rowName}".`);
  return call;
}

/** @type {number[]} */
const milliseconds = [];
let failures = 0;
let firstWrong = "";

/** @param {import("./connections.mjs").Response} response */
function record({ status, body, milliseconds: duration }) {
  milliseconds.push(duration);
  if (status === call.status && call.isRight(parsed(body))) return;
  failures += 1;
  firstWrong ||= `${status} ${body}`;
}

/**
 * @param {string} text
 * @returns {Record<string, unknown>}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** @param {string} token */
const textFor = (token) => requestText(facts.baseUrl, call.request(facts, token));

/**
 * Returns the requests of one connection. If the call has `next`, each request uses the token of the previous
 * response. If the call has `fresh`, each request is created when it is sent. For every other call, one
 * request is created per token of the connection, and these requests are sent in turn.
 * @param {number} connection
 * @returns {import("./connections.mjs").Exchange}
 */
function exchangeOf(connection) {
  const { next, fresh, once } = call;
  const own = tokens.filter((_, index) => index % CONNECTIONS === connection);
  let token = own[0] ?? tokenAt(connection % tokens.length);
  if (next !== undefined)
    return {
      next: () => (isOver() ? null : textFor(token)),
      received: (response) => {
        record(response);
        token = next(parsed(response.body));
      },
    };
  if (fresh) return { next: () => (isOver() ? null : textFor(token)), received: record };
  const requests = (own.length > 0 ? own : [token]).map(textFor);
  let sent = 0;
  return {
    next: () => {
      if (once ? sent >= own.length : isOver()) return null;
      return requests[sent++ % requests.length] ?? null;
    },
    received: record,
  };
}

/** @param {number} index */
function tokenAt(index) {
  const token = tokens[index];
  if (token === undefined) throw new Error(`There is no token ${index}.`);
  return token;
}

const startedAt = performance.now();
const isOver = () => performance.now() - startedAt > seconds * 1000;
failures += await sendRequests(facts.baseUrl, CONNECTIONS, exchangeOf);
const elapsed = performance.now() - startedAt;

const sorted = Float64Array.from(milliseconds).sort();
const percentile = (/** @type {number} */ share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const measured = {
  requests: sorted.length,
  requestsPerSecond: (sorted.length * 1000) / elapsed,
  p50: percentile(0.5),
  p99: percentile(0.99),
  failures,
  firstWrong,
};
process.stdout.write(JSON.stringify(measured));
