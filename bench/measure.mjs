import { StepFailed } from "../scripts/prepare-step.mjs";
import { runProgram } from "../scripts/program.mjs";
import { processorTime } from "./processor-time.mjs";
import { CONNECTIONS } from "./rows.mjs";

/**
 * @typedef {{ requestsPerSecond: number, processorMicroseconds: number, p50: number, p99: number }} Round
 * `processorMicroseconds` is the processor time of the server for each request; `p50` and `p99` are in milliseconds.
 */

const CALLS = /** @type {const} */ ([0, 1]);
const ROUNDS = 5;
const WARM_UP_SECONDS = 2;
/** The maximum total duration, in seconds, of all rounds of one part of the benchmark. */
const BUDGET_SECONDS = 240;
const ROUND_SECONDS_MAX = 5;

/**
 * Measures every row of the benchmark. The two calls of a benchmark row run alternately, and the order of the
 * calls is swapped after each round.
 * @param {readonly (typeof import("./rows.mjs").ROWS)[number][]} rows
 * @param {Readonly<Partial<Record<import("./rows.mjs").ServerName, import("./rows.mjs").Server>>>} servers
 * @param {{ later: import("../scripts/temporarily.mjs").Later, printLine: (line: string) => void }} context
 * @throws StepFailed if a response is incorrect.
 */
export async function measure(rows, servers, { later, printLine }) {
  const warmUps = rows.length * 2 * WARM_UP_SECONDS;
  const share = (BUDGET_SECONDS - warmUps) / (rows.length * 2 * ROUNDS);
  const seconds = Math.max(1, Math.min(ROUND_SECONDS_MAX, Math.floor(share)));
  const results = [];
  for (const row of rows) {
    /** @type {[Round[], Round[]]} */
    const samples = [[], []];
    for (const at of CALLS) await load(row, at, WARM_UP_SECONDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const at of round % 2 === 0 ? CALLS : CALLS.toReversed())
        samples[at].push(await load(row, at, seconds));
      const [first, second] = samples.map((all) => Math.round(all[round]?.requestsPerSecond ?? Number.NaN));
      printLine(`${row.name}, round ${round + 1} of ${ROUNDS}: ${first} and ${second} requests/s`);
    }
    results.push({ row, samples });
  }
  return { results, conditions: { connections: CONNECTIONS, samples: ROUNDS, seconds } };

  /**
   * @param {(typeof rows)[number]} row
   * @param {0 | 1} at
   * @param {number} duration
   * @returns {Promise<Round>}
   */
  async function load(row, at, duration) {
    const call = row.calls[at];
    const server = servers[call.server];
    const take = server?.sources[call.tokens];
    if (server === undefined || take === undefined)
      throw new Error(`The server ${call.server} has no tokens of the kind ${call.tokens}.`);
    const { facts } = server;
    const tokens = await take();
    const input = JSON.stringify({ rowName: row.name, at, facts, tokens, seconds: duration });
    const before = processorTime(server.pid);
    const output = await runProgram(["bench/load.mjs"], { input, later });
    const processor = processorTime(server.pid) - before;
    /** @type {Round & { requests: number, failures: number, firstWrong: string }} */
    const { requests, failures, firstWrong, ...round } = JSON.parse(output);
    if (failures !== 0)
      throw new StepFailed(`${call.label}: ${failures} of the responses were failures. ${firstWrong}`);
    return { ...round, processorMicroseconds: processor / requests };
  }
}
