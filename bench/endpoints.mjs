import { mkdir } from "node:fs/promises";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { startInstance } from "../scripts/instance.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { freePort } from "../scripts/program.mjs";
import { ENVIRONMENT, prepareEndpoints } from "./endpoint-data.mjs";
import { processorTime } from "./processor-time.mjs";
import { startReplay } from "./start-replay.mjs";

/**
 * @import { Later } from "../scripts/temporarily.mjs"
 * @import { Endpoint } from "./endpoint-data.mjs"
 * @typedef {{ path: string, isList: boolean, microseconds: readonly number[], kilobytes: number }} MeasuredEndpoint
 * @typedef {{ bare: readonly number[], endpoints: readonly MeasuredEndpoint[] }} MeasuredEndpoints
 */

/**
 * Returns the highest permitted median of the processor time of an endpoint in milliseconds. The permitted
 * time is higher for lists, which have twenty rows, and for endpoints of repositories, which read Git
 * objects.
 * @param {Pick<MeasuredEndpoint, "path" | "isList">} endpoint
 */
export const endpointMillisecondsMax = ({ path, isList }) =>
  isList || path.includes("/repository/") ? 1.5 : 0.7;

const CONNECTIONS = 8;
const WARM_UPS = 2;
const ROUNDS = 5;

/** The number of rows of each kind, and the duration of the load on one endpoint in each round. */
const SIZES = { full: { rows: 100_000, milliseconds: 250 }, small: { rows: 2_000, milliseconds: 60 } };

/**
 * Measures the processor time of the server for one request to each GET endpoint. For comparison, measures
 * one request to a bare `node:http` server that sends the response of `GET /user`. Each round puts load on
 * the endpoints one after the other.
 * @param {string} folder
 * @param {Later} later
 * @param {keyof typeof SIZES} size
 * @returns {Promise<MeasuredEndpoints>}
 * @throws StepFailed if the status of a response is not 200.
 */
export async function measureEndpoints(folder, later, size) {
  const { rows, milliseconds } = SIZES[size];
  const place = join(folder, "endpoints");
  await mkdir(place);
  const { baseUrl, program } = await startInstance({
    ...{ port: await freePort(), folder: place, env: ENVIRONMENT, later },
  });
  const endpoints = await prepareEndpoints({ baseUrl, place, rows, later });
  const bare = await startBare(place, baseUrl, endpoints, later);
  /** @param {Endpoint} endpoint */
  const load = (endpoint) => loadOf(endpoint, program.pid, milliseconds);
  const measured = endpoints.map((endpoint) => ({ endpoint, samples: /** @type {number[]} */ ([]) }));
  /** @type {number[]} */
  const bareSamples = [];
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    const bareTime = await loadOf(bare.endpoint, bare.pid, 4 * milliseconds);
    if (round >= WARM_UPS) bareSamples.push(bareTime);
    for (const { endpoint, samples } of measured) {
      const microseconds = await load(endpoint);
      if (round >= WARM_UPS) samples.push(microseconds);
    }
  }
  return {
    bare: bareSamples,
    endpoints: await Promise.all(
      measured.map(async ({ endpoint, samples }) => ({
        path: endpoint.path,
        isList: endpoint.isList,
        microseconds: samples,
        kilobytes: await kilobytesOf(endpoint),
      })),
    ),
  };
}

/**
 * Starts a bare server that sends the response of `GET /user`.
 * @param {string} place
 * @param {string} origin the URL of Gatehouse.
 * @param {readonly Endpoint[]} endpoints
 * @param {Later} later
 */
async function startBare(place, origin, endpoints, later) {
  const user = endpoints.find(({ path }) => path === "/user");
  if (user === undefined) throw new Error("The API has no endpoint /user.");
  const { pid, baseUrl } = await startReplay(place, later, origin);
  return { endpoint: { ...user, url: user.url.replace(origin, baseUrl) }, pid };
}

/** @param {Endpoint} endpoint */
async function kilobytesOf({ url, headers }) {
  const response = await fetch(url, { headers: { ...headers, connection: "close" } });
  const body = await response.text();
  if (response.status !== 200) throw new StepFailed(`${url} returned ${response.status}: ${body}`);
  return body.length / 1_024;
}

/**
 * Sends requests over several connections for the given duration.
 * @param {Endpoint} endpoint
 * @param {number | undefined} pid
 * @param {number} milliseconds
 * @returns {Promise<number>} the processor time of the measured server process for one request, in
 * microseconds.
 */
async function loadOf({ url, headers }, pid, milliseconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const options = { agent, headers };
  const before = processorTime(pid);
  const end = performance.now() + milliseconds;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      let count = 0;
      do {
        const status = await statusOf(url, options);
        if (status !== 200) throw new StepFailed(`${url} returned ${status}.`);
        count += 1;
      } while (performance.now() < end);
      return count;
    }),
  );
  const used = processorTime(pid) - before;
  agent.destroy();
  return used / counts.reduce((sum, count) => sum + count, 0);
}

/**
 * @param {string} url
 * @param {import("node:http").RequestOptions} options
 * @returns {Promise<number | undefined>}
 */
const statusOf = (url, options) =>
  new Promise((resolve, reject) => {
    get(url, options, (response) => {
      response.once("end", () => resolve(response.statusCode)).resume();
    }).once("error", reject);
  });
