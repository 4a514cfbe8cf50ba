import { startFilled, startGatehouse, startOnPostgresql } from "./gatehouse.mjs";
import { startPeer } from "./peer.mjs";
import { startReplay } from "./start-replay.mjs";

/**
 * @import { ServerName, Server } from "./rows.mjs"
 * @import { Later } from "../scripts/temporarily.mjs"
 */

const TWO_WORKERS = { WEB_CONCURRENCY: "2" };

/**
 * The functions that start the compared servers. `others` are the servers that are already running.
 * @type {Readonly<Record<ServerName, (folder: string, later: Later, others: Partial<Record<ServerName, Server>>) =>
 * Promise<Server>>>}
 */
export const START = {
  bare: async (folder, later, { gatehouse }) => {
    if (gatehouse === undefined)
      throw new Error("A benchmark row that measures node:http must name Gatehouse as the first server.");
    const { facts, sources } = gatehouse;
    const { pid, baseUrl } = await startReplay(folder, later, facts.baseUrl);
    return { pid, facts: { ...facts, baseUrl }, sources };
  },
  gatehouse: (folder, later) => startGatehouse(folder, later, { name: "gatehouse" }),
  silent: (folder, later) => startGatehouse(folder, later, { name: "silent", env: { LOG_LEVEL: "silent" } }),
  twoWorkers: (folder, later) => startGatehouse(folder, later, { name: "two-workers", env: TWO_WORKERS }),
  postgresql: (folder, later) => startOnPostgresql(folder, later, { name: "postgresql" }),
  postgresqlTwoWorkers: (folder, later) =>
    startOnPostgresql(folder, later, { name: "postgresql-two-workers", env: TWO_WORKERS }),
  peer: startPeer,
  fewTokens: (folder, later) => startFilled(folder, later, 10),
  manyTokens: (folder, later) => startFilled(folder, later, 1_000_000),
  veryManyTokens: (folder, later) => startFilled(folder, later, 10_000_000),
};
