import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startInstance } from "../scripts/instance.mjs";
import { freePort, startProgram } from "../scripts/program.mjs";
import { openBrowser } from "./browser.mjs";
import { watched } from "./git.mjs";

/** The targets: the time until the first response, and the memory before the first page and under load. */
export const START_TARGETS = { seconds: 0.7, idleMegabytes: 150, loadedMegabytes: 300 };

const ROUNDS = 5;
/** The time that a started server needs to finish its preparations while it receives no requests. */
const IDLE_MS = 5_000;
const LOAD_MS = 10_000;
const CONNECTIONS = 8;
/** The requests that put the server under load: pages, endpoints for machines and the sign-in page. */
const LOAD = [
  "/",
  "/user_settings/applications",
  "/help/connect",
  "/admin/users",
  "/users/sign_in?again=1",
  "/.well-known/openid-configuration",
  "/api/v4/projects",
];

/**
 * @typedef {{ seconds: readonly number[], idleMegabytes: number, loadedMegabytes: number }} MeasuredStart `seconds` has
 * an entry for each start.
 */

/**
 * Measures the start times of a server with an existing database, and the memory of the server process before
 * the first page and under load.
 * @param {string} folder
 * @param {import("../scripts/temporarily.mjs").Later} later
 * @returns {Promise<MeasuredStart>}
 */
export async function measureStart(folder, later) {
  const place = join(folder, "start");
  await mkdir(place);
  const first = await startInstance({ port: await freePort(), folder: place, later });
  await first.program.stop();
  /** @type {number[]} */
  const seconds = [];
  for (let round = 1; round < ROUNDS; round += 1) {
    const { program, took } = await startAgain(first, place, later);
    seconds.push(took);
    await program.stop();
  }
  const { program, took } = await startAgain(first, place, later);
  seconds.push(took);
  await pause(IDLE_MS);
  const memory = watched(program.pid);
  const { before: idleMegabytes } = await memory.stop();
  return { seconds, idleMegabytes, loadedMegabytes: await memoryUnderLoad(first, program.pid) };
}

/**
 * Starts the server, and waits for the first response that requires the database.
 * @param {import("../scripts/instance.mjs").Instance} instance
 * @param {string} place
 * @param {import("../scripts/temporarily.mjs").Later} later
 */
async function startAgain({ settings, baseUrl }, place, later) {
  const begin = performance.now();
  const program = startProgram(["bin/gatehouse.mjs", "serve"], {
    env: settings,
    logFile: join(place, "gatehouse.log"),
  });
  later(program.stop);
  const url = `${baseUrl}/.well-known/openid-configuration`;
  while ((await fetch(url).catch(() => null))?.status !== 200) {
    if (!program.isRunning()) throw new Error(program.output());
    await pause(5);
  }
  return { program, took: (performance.now() - begin) / 1000 };
}

/**
 * Sends requests for ten seconds, and returns the peak memory of the server process.
 * @param {import("../scripts/instance.mjs").Instance} instance
 * @param {number | undefined} pid
 */
async function memoryUnderLoad({ baseUrl, rootPassword }, pid) {
  const browser = openBrowser(baseUrl);
  await browser.send(`${baseUrl}/users/session`, {
    intent: "sign_in",
    login: "root",
    password: rootPassword,
  });
  const memory = watched(pid);
  const end = performance.now() + LOAD_MS;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      for (let at = connection; performance.now() < end; at += 1)
        await browser.send(baseUrl + LOAD[at % LOAD.length]);
    }),
  );
  return (await memory.stop()).peak;
}
