import { join } from "node:path";
import { freePort, startProgram, untilItAnswers } from "../scripts/program.mjs";

/**
 * Starts a bare `node:http` server that answers as Gatehouse does, for the tokens and the client of Gatehouse.
 * @param {string} folder
 * @param {import("../scripts/temporarily.mjs").Later} later
 * @param {import("./rows.mjs").Server} gatehouse
 * @returns {Promise<import("./rows.mjs").Server>}
 */
export async function startReplay(folder, later, gatehouse) {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const program = startProgram(["bench/replay.mjs"], {
    env: { NODE_ENV: "production", PORT: String(port), ORIGIN: gatehouse.facts.baseUrl },
    logFile: join(folder, "replay.log"),
  });
  later(program.stop);
  await untilItAnswers(`${baseUrl}/-/health`, program);
  return { pid: program.pid, facts: { ...gatehouse.facts, baseUrl }, sources: gatehouse.sources };
}
