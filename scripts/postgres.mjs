// A temporary PostgreSQL server for tests and for the creation of migrations. The server starts on a free
// port. When the PostgreSQL server stops, its data are deleted.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findPostgres } from "./postgres-binaries.mjs";
import { freePort } from "./program.mjs";
import { temporaryPlace } from "./temporary-place.mjs";

const USER = "gatehouse";
const READY_MS = 120_000;
const STOP_MS = 5_000;

/**
 * @typedef {Readonly<{ host: string, port: number, user: string, password: string, url: (database: string) => string,
 * stop: () => Promise<void>, }>} PostgresServer `url` returns the URL of one of its databases; `stop` ends the server
 * and removes its data.
 * @typedef {{ uid: number, gid: number } | undefined} Owner the operating system user that runs the server; undefined
 * for the user of this process.
 * @typedef {import("node:child_process").ChildProcessByStdio<null, null, import("node:stream").Readable>} Server
 * @typedef {Readonly<{ binaries: string, folder: string, owner: Owner, user: string }>} Cluster the folders of the
 * programs and of the data, and the name of the database superuser.
 */

/** The data of tests need not survive a power failure. */
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=400",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "log_min_messages=fatal",
];

/**
 * The complete environment of PostgreSQL's programs. The types of Next.js require `NODE_ENV` in every object
 * with environment variables.
 */
const ENVIRONMENT = { NODE_ENV: process.env.NODE_ENV, PATH: process.env["PATH"], LC_ALL: "C" };

/**
 * Starts a PostgreSQL server. If `GATEHOUSE_TEST_PG_URL` names a server, the function uses this server instead and
 * does not stop it.
 * @returns {Promise<PostgresServer>}
 * @throws an Error whose message names the missing program.
 */
export async function startPostgres() {
  const url = process.env["GATEHOUSE_TEST_PG_URL"];
  return url ? runningServer(new URL(url)) : ownServer();
}

/** @param {URL} url */
function runningServer(url) {
  return serverOf({
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    stop: async () => {},
  });
}

async function ownServer() {
  const cluster = createCluster();
  try {
    return await run(cluster);
  } catch (error) {
    rmSync(cluster.folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Creates a folder with an empty database cluster. The caller removes the folder of the database cluster.
 * @returns {Cluster}
 */
export function createCluster() {
  const installation = findPostgres();
  const owner = otherUser();
  const folder = mkdtempSync(join(temporaryPlace(), "gatehouse-postgres-"));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  try {
    const binaries = readableBy(owner, installation, folder);
    initialize(binaries, folder, owner);
    return { binaries, folder, owner, user: USER };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Starts a PostgreSQL server on the data of a database cluster.
 * @param {Cluster} cluster
 * @param {number} port
 * @param {readonly string[]} settings
 * @returns {Server}
 */
export function spawnServer({ binaries, folder, owner }, port, settings) {
  const options = settings.flatMap((setting) => ["-c", setting]);
  return spawn(join(binaries, "postgres"), ["-D", join(folder, "data"), "-p", `${port}`, ...options], {
    ...owner,
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/**
 * Returns the user that runs the server when this process runs as root, because PostgreSQL refuses to run as root.
 * @returns {Owner}
 */
function otherUser() {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const user = users.find((fields) => fields[0] === name);
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and there is no user postgres or nobody that could run PostgreSQL.",
  );
}

/**
 * Returns a folder with PostgreSQL programs that `owner` can read. The folder contains copies of the programs
 * if the installed programs may be in a home directory that other users cannot read.
 * @param {Owner} owner
 * @param {ReturnType<typeof findPostgres>} installation
 * @param {string} folder
 */
function readableBy(owner, { folder: installed, isPrivate }, folder) {
  if (!owner || !isPrivate) return join(installed, "bin");
  say("copying PostgreSQL to a temporary folder");
  cpSync(installed, join(folder, "postgresql"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "postgresql", "bin");
}

/**
 * @param {string} binaries
 * @param {string} folder
 * @param {Owner} owner
 */
function initialize(binaries, folder, owner) {
  say(`creating a database with ${binaries}`);
  const options = ["--no-locale", "--encoding=UTF8", "--auth=trust", `--username=${USER}`, "--no-sync"];
  const result = spawnSync(join(binaries, "initdb"), [...options, "-D", join(folder, "data")], {
    ...owner,
    cwd: folder,
    env: ENVIRONMENT,
    encoding: "utf8",
  });
  if (result.error) throw new Error(`initdb could not be started: ${result.error.message}`);
  if (result.status !== 0) throw new Error(`initdb failed: ${(result.stderr || result.stdout).trim()}`);
}

/** @param {Cluster} cluster */
async function run(cluster) {
  const port = await freePort();
  say(`starting on port ${port}`);
  const server = spawnServer(cluster, port, SETTINGS);
  let errorOutput = "";
  server.stderr.on("data", (text) => {
    errorOutput = `${errorOutput}${text}`.slice(-2_000);
  });
  server.on("error", () => {});
  const stop = stopper(server, cluster.folder);
  const handle = serverOf({ host: "127.0.0.1", port, user: USER, password: "", stop });
  try {
    await ready(handle, server, () => errorOutput);
  } catch (error) {
    await stop();
    throw error;
  }
  say("ready");
  return handle;
}

/**
 * @param {PostgresServer} handle
 * @param {Server} server
 * @param {() => string} errorOutput
 */
async function ready(handle, server, errorOutput) {
  const giveUpAt = Date.now() + READY_MS;
  for (;;) {
    if (server.exitCode !== null || server.pid === undefined) {
      throw new Error(`PostgreSQL did not start: ${errorOutput().trim()}`);
    }
    const client = new pg.Client({
      connectionString: handle.url("postgres"),
      connectionTimeoutMillis: 2_000,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt)
        throw new Error(`PostgreSQL does not respond: ${error instanceof Error ? error.message : error}`);
      await pause(25);
    }
  }
}

/**
 * Returns a function that stops the PostgreSQL server. The PostgreSQL server also stops when this process
 * exits or gets a signal.
 * @param {Server} server
 * @param {string} folder
 */
function stopper(server, folder) {
  const isRunning = () => server.exitCode === null && server.signalCode === null && server.pid !== undefined;
  const abandon = () => {
    // SIGQUIT ends PostgreSQL immediately, without a checkpoint. A checkpoint is not necessary, because the
    // data of the server are deleted.
    if (isRunning()) server.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    unregister();
    abandon();
    // If the signal has other listeners, these listeners end the process. If the signal has no other
    // listener, this function sends the signal to the process again.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  const unregister = () => {
    process.off("exit", abandon);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.on("exit", abandon);
  for (const signal of signals) process.on(signal, onSignal);

  return async () => {
    if (isRunning()) {
      const ended = once(server, "exit");
      // SIGINT requests a fast shutdown, which terminates open sessions.
      server.kill("SIGINT");
      const hurry = setTimeout(() => server.kill("SIGQUIT"), STOP_MS);
      await ended;
      clearTimeout(hurry);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    unregister();
  };
}

/**
 * @param {Omit<PostgresServer, "url">} server
 * @returns {PostgresServer}
 */
function serverOf({ host, port, user, password, stop }) {
  const authority = `${encodeURIComponent(user)}${password ? `:${encodeURIComponent(password)}` : ""}`;
  /** @param {string} database */
  const url = (database) => `postgresql://${authority}@${host}:${port}/${encodeURIComponent(database)}`;
  return { host, port, user, password, url, stop };
}

/** @param {string} step */
const say = (step) => process.stderr.write(`postgresql: ${step}\n`);
