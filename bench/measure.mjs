import { StepFailed } from "../scripts/prepare-step.mjs";
import { runProgram } from "../scripts/program.mjs";

/** @typedef {{ requestsPerSecond: number, p50: number, p99: number }} Round times in milliseconds. */

const CONNECTIONS = 32;
const ROUNDS = 5;
const WARM_UP_SECONDS = 3;
/** All rounds of all rows together; the whole run stays below three minutes. */
const BUDGET_SECONDS = 120;
const ROUND_SECONDS_MAX = 6;

/**
 * Measures every row: the two sides take turns, and who begins alternates from round to round.
 * @param {readonly (typeof import("./rows.mjs").ROWS)[number][]} rows
 * @param {{ ours: import("./rows.mjs").Side, peer: import("./rows.mjs").Side }} sides
 * @param {{ later: (undo: () => unknown) => void, tell: (line: string) => void }} context
 * @throws StepFailed when an answer is not the right one, or not 2xx.
 */
export async function measure(rows, sides, { later, tell }) {
  const warmUps = rows.length * 2 * WARM_UP_SECONDS;
  const share = (BUDGET_SECONDS - warmUps) / (rows.length * 2 * ROUNDS);
  const seconds = Math.max(1, Math.min(ROUND_SECONDS_MAX, Math.floor(share)));
  const results = [];
  for (const row of rows) {
    /** @type {{ ours: Round[], peer: Round[] }} */
    const rounds = { ours: [], peer: [] };
    const turn = async (side) => {
      await verify(row[side], sides[side]);
      rounds[side].push(await load(row[side], sides[side], seconds, later));
    };
    for (const side of ["ours", "peer"]) await load(row[side], sides[side], WARM_UP_SECONDS, later);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of round % 2 === 0 ? ["ours", "peer"] : ["peer", "ours"]) await turn(side);
      const [ours, peer] = [rounds.ours, rounds.peer].map((all) => Math.round(all[round].requestsPerSecond));
      tell(`${row.name}, round ${round + 1} of ${ROUNDS}: ${ours} against ${peer} requests/s`);
    }
    for (const side of ["ours", "peer"]) await verify(row[side], sides[side]);
    results.push({ row, rounds });
  }
  return { results, conditions: { connections: CONNECTIONS, rounds: ROUNDS, seconds } };
}

/**
 * @param {import("./rows.mjs").Call} call
 * @param {import("./rows.mjs").Side} side
 */
async function verify(call, side) {
  const { path, ...request } = call.request(side);
  const answer = await fetch(side.baseUrl + path, request);
  const body = await answer.json().catch(() => ({}));
  if (answer.status !== 200 || !call.isRight(body))
    throw new StepFailed(`${call.label} answers ${answer.status} ${JSON.stringify(body)}`);
}

/**
 * @param {import("./rows.mjs").Call} call
 * @param {import("./rows.mjs").Side} side
 * @param {number} seconds
 * @param {(undo: () => unknown) => void} later
 * @returns {Promise<Round>}
 */
async function load(call, side, seconds, later) {
  const { path, ...request } = call.request(side);
  const input = JSON.stringify({ ...request, url: side.baseUrl + path, seconds, connections: CONNECTIONS });
  const { failures, ...round } = JSON.parse(await runProgram(["bench/load.mjs"], { input, later }));
  if (failures !== 0) throw new StepFailed(`${call.label}: ${failures} of the answers were failures.`);
  return round;
}
