// Runs one round of load in a separate process.
// Reads a description of the load from standard input as JSON, and prints the results.
import { text } from "node:stream/consumers";
import autocannon from "autocannon";
import { CONNECTIONS, ROWS } from "./rows.mjs";

/**
 * @import { Request } from "autocannon"
 * @import { Call, Facts } from "./rows.mjs"
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
  if (call === undefined) throw new Error(`There is no row ${rowName}.`);
  return call;
}

/**
 * @type {number[]} The benchmark measures the times itself, because autocannon measures only whole
 * milliseconds.
 */
const milliseconds = [];
let otherStatus = 0;
let firstWrong = "";

/** @param {string} text */
function verifyBody(text) {
  if (call.isRight(parsed(text))) return true;
  firstWrong ||= text;
  return false;
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

/**
 * Returns the requests that one connection repeats: one request for each of its tokens, or, with `next`, one
 * request that uses the token of the previous response, or, with `fresh`, one request that is created each time.
 * @param {number} connection
 * @returns {readonly Request[]}
 */
function requestsOf(connection) {
  if (call.next !== undefined) return [following(tokenAt(connection), call.next)];
  if (call.fresh) {
    const token = tokenAt(connection % tokens.length);
    return [{ setupRequest: (defaults) => ({ ...defaults, ...call.request(facts, token) }) }];
  }
  const own = tokens.filter((_, index) => index % CONNECTIONS === connection);
  return (own.length > 0 ? own : [tokenAt(connection % tokens.length)]).map((token) =>
    call.request(facts, token),
  );
}

/** @param {number} index */
function tokenAt(index) {
  const token = tokens[index];
  if (token === undefined) throw new Error(`There is no token ${index}.`);
  return token;
}

/**
 * @param {string} first
 * @param {NonNullable<Call["next"]>} next
 * @returns {Request}
 */
function following(first, next) {
  let token = first;
  return {
    setupRequest: (defaults) => ({ ...defaults, ...call.request(facts, token) }),
    onResponse: (_status, response) => {
      token = next(parsed(response));
    },
  };
}

let connection = 0;
const startedAt = performance.now();
let endedAt = startedAt;
const run = autocannon({
  url: facts.baseUrl,
  connections: CONNECTIONS,
  ...(call.once ? { amount: tokens.length } : { duration: seconds }),
  setupClient: (client) => client.setRequests(requestsOf(connection++)),
  verifyBody,
});
run.on("response", (_client, status, _bytes, duration) => {
  if (status !== call.status) otherStatus += 1;
  milliseconds.push(duration);
  endedAt = performance.now();
});
const result = await run;

const sorted = Float64Array.from(milliseconds).sort();
const percentile = (/** @type {number} */ share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const measured = {
  requests: sorted.length,
  // The benchmark computes the requests per second itself, because autocannon counts the duration in whole
  // seconds.
  requestsPerSecond: (sorted.length * 1000) / (endedAt - startedAt),
  p50: percentile(0.5),
  p99: percentile(0.99),
  failures: otherStatus + result.mismatches + result.errors + result.timeouts,
  firstWrong,
};
process.stdout.write(JSON.stringify(measured));
