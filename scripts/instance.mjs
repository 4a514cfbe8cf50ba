import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runProgram, startProgram, untilItAnswers } from "./program.mjs";

/** @typedef {Awaited<ReturnType<typeof startInstance>>} Instance */

/**
 * Environment variables that the user has set for another Gatehouse instance must not affect this instance.
 */
const OWN_SETTINGS = {
  HOST: undefined,
  DATABASE_URL: undefined,
  GATEHOUSE_SECRET: undefined,
  TRUSTED_PROXIES: undefined,
  LOG_LEVEL: undefined,
  WEB_CONCURRENCY: undefined,
};

/** Returns a random text, for passwords and usernames. */
export const newPassword = () => randomBytes(9).toString("base64url");

/**
 * Starts a Gatehouse server as `npm start` does, on an empty database.
 * @param {{ port: number, folder: string, env?: Record<string, string>, later:
 * import("./temporarily.mjs").Later }} options `folder` is the folder for the data and the log of the server.
 * `later` registers the function that stops the server.
 * @throws StepFailed with the output of the server when it does not start.
 */
export async function startInstance({ port, folder, env = {}, later }) {
  const baseUrl = `http://localhost:${port}`;
  const rootPassword = newPassword();
  const settings = {
    ...OWN_SETTINGS,
    ...env,
    PORT: String(port),
    BASE_URL: baseUrl,
    DATA_DIR: join(folder, "data"),
    GATEHOUSE_ROOT_PASSWORD: rootPassword,
  };
  await mkdir(settings.DATA_DIR);
  const logFile = join(folder, "gatehouse.log");
  const program = startProgram(["bin/gatehouse.mjs", "serve"], { env: settings, logFile });
  later(program.stop);
  await untilItAnswers(`${baseUrl}/-/readiness`, program);
  return {
    baseUrl,
    rootPassword,
    program,
    /** The environment variables with which the server can be started again. */
    settings,
    /**
     * Runs `gatehouse …args --json` on this instance.
     * @param {readonly string[]} args
     * @returns {Promise<unknown>} the parsed JSON output of the command.
     * @throws StepFailed with the error output of the command.
     */
    command: async (...args) =>
      JSON.parse(await runProgram(["bin/gatehouse.mjs", ...args, "--json"], { env: settings, later })),
  };
}
