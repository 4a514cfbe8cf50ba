// One round of load, in a process of its own: reads which call to make as JSON from standard input, prints what came back.
import { text } from "node:stream/consumers";
import autocannon from "autocannon";
import { CONNECTIONS, ROWS } from "./rows.mjs";

const { rowName, at, facts, tokens, seconds } = JSON.parse(await text(process.stdin));
const call = ROWS.find(({ name }) => name === rowName)?.calls[at];
if (call === undefined) throw new Error(`There is no row ${rowName}.`);

/** @type {number[]} autocannon itself counts in whole milliseconds, which is coarse here. */
const milliseconds = [];
let otherStatus = 0;
let firstWrong = "";

function verifyBody(answer) {
  if (call.isRight(parsed(answer))) return true;
  firstWrong ||= answer;
  return false;
}

function parsed(answer) {
  try {
    return JSON.parse(answer);
  } catch {
    return {};
  }
}

/** The requests that one connection repeats: one for each of its tokens, or the one that follows its own answers. */
function requestsOf(connection) {
  if (call.next !== undefined) return [following(tokens[connection])];
  const own = tokens.filter((_, index) => index % CONNECTIONS === connection);
  return (own.length > 0 ? own : [tokens[connection % tokens.length]]).map((token) =>
    call.request(facts, token),
  );
}

function following(first) {
  let token = first;
  return {
    setupRequest: (defaults) => ({ ...defaults, ...call.request(facts, token) }),
    onResponse: (_status, answer) => {
      token = call.next(parsed(answer));
    },
  };
}

let connection = 0;
const run = autocannon({
  url: facts.baseUrl,
  connections: CONNECTIONS,
  duration: seconds,
  setupClient: (client) => client.setRequests(requestsOf(connection++)),
  verifyBody,
});
run.on("response", (_client, status, _bytes, duration) => {
  if (status !== call.status) otherStatus += 1;
  milliseconds.push(duration);
});
const result = await run;

const sorted = Float64Array.from(milliseconds).sort();
const percentile = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const measured = {
  requestsPerSecond: sorted.length / result.duration,
  p50: percentile(0.5),
  p99: percentile(0.99),
  failures: otherStatus + result.mismatches + result.errors + result.timeouts,
  firstWrong,
};
process.stdout.write(JSON.stringify(measured));
