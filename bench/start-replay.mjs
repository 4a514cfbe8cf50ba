import { join } from "node:path";
import { freePort, startProgram, untilItAnswers } from "../scripts/program.mjs";

/**
 * Starts a bare `node:http` server that sends the responses of another server.
 * @param {string} folder
 * @param {import("../scripts/temporarily.mjs").Later} later
 * @param {string} origin the URL of the other server.
 */
export async function startReplay(folder, later, origin) {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const program = startProgram(["bench/replay.mjs"], {
    env: { NODE_ENV: "production", PORT: String(port), ORIGIN: origin },
    logFile: join(folder, "replay.log"),
  });
  later(program.stop);
  await untilItAnswers(`${baseUrl}/-/health`, program);
  return { pid: program.pid, baseUrl };
}
