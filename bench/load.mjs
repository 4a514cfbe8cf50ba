// One round of load, in a process of its own: reads a request as JSON from standard input, prints what came back.
import { text } from "node:stream/consumers";
import autocannon from "autocannon";

const { seconds, connections, ...request } = JSON.parse(await text(process.stdin));
/** @type {number[]} autocannon itself counts in whole milliseconds, which is coarse here. */
const milliseconds = [];
const run = autocannon({ ...request, connections, duration: seconds });
run.on("response", (_client, _status, _bytes, duration) => milliseconds.push(duration));
const result = await run;

const sorted = Float64Array.from(milliseconds).sort();
const percentile = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const measured = {
  requestsPerSecond: result["2xx"] / result.duration,
  p50: percentile(0.5),
  p99: percentile(0.99),
  failures: result.non2xx + result.errors + result.timeouts,
};
process.stdout.write(JSON.stringify(measured));
