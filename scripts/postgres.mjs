// A PostgreSQL server for tests and for authoring migrations: started on a free port, gone at the end.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findPostgres } from "./postgres-binaries.mjs";

const USER = "gatehouse";
const READY_MS = 20_000;
const STOP_MS = 5_000;

/** Data that lives for minutes needs no care for power cuts. */
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=200",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "log_min_messages=fatal",
];

/**
 * Starts a server, or connects to the one that `GATEHOUSE_TEST_PG_URL` names, which is left running.
 * @returns {Promise<import("./postgres.mjs").PostgresServer>}
 * @throws an Error with a sentence saying what is missing.
 */
export async function startPostgres() {
  const given = process.env["GATEHOUSE_TEST_PG_URL"];
  return given ? runningServer(new URL(given)) : ownServer();
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
  const found = findPostgres();
  const owner = otherUser();
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-postgres-"));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  try {
    const binaries = readableBy(owner, found, folder);
    initialise(binaries, folder, owner);
    return await run(binaries, folder, owner);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** PostgreSQL refuses to run as root, so root lends it another user. */
function otherUser() {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  for (const name of ["postgres", "nobody"]) {
    const user = users.find((fields) => fields[0] === name);
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new Error("PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as.");
}

/** Below a home directory that is closed to others, the other user could not reach the programs. */
function readableBy(owner, { folder: installed, isPrivate }, folder) {
  if (!owner || !isPrivate) return join(installed, "bin");
  say("copying PostgreSQL to a temporary folder");
  cpSync(installed, join(folder, "postgresql"), { recursive: true, verbatimSymlinks: true });
  return join(folder, "postgresql", "bin");
}

function initialise(binaries, folder, owner) {
  say(`creating a database with ${binaries}`);
  const options = ["--no-locale", "--encoding=UTF8", "--auth=trust", `--username=${USER}`, "--no-sync"];
  const made = spawnSync(join(binaries, "initdb"), [...options, "-D", join(folder, "data")], {
    ...owner,
    cwd: folder,
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    encoding: "utf8",
  });
  if (made.error) throw new Error(`initdb could not be run: ${made.error.message}`);
  if (made.status !== 0) throw new Error(`initdb failed: ${(made.stderr || made.stdout).trim()}`);
}

async function run(binaries, folder, owner) {
  const port = await freePort();
  say(`starting on port ${port}`);
  const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
  const server = spawn(
    join(binaries, "postgres"),
    ["-D", join(folder, "data"), "-p", `${port}`, ...settings],
    {
      ...owner,
      cwd: folder,
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let complaints = "";
  server.stderr.on("data", (text) => {
    complaints = `${complaints}${text}`.slice(-2_000);
  });
  server.on("error", () => {});
  const stop = stopper(server, folder);
  const handle = serverOf({ host: "127.0.0.1", port, user: USER, password: "", stop });
  try {
    await ready(handle, server, () => complaints);
  } catch (error) {
    await stop();
    throw error;
  }
  say("ready");
  return handle;
}

async function ready(handle, server, complaints) {
  const giveUpAt = Date.now() + READY_MS;
  for (;;) {
    if (server.exitCode !== null || server.pid === undefined) {
      throw new Error(`PostgreSQL did not start: ${complaints().trim()}`);
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
      if (Date.now() > giveUpAt) throw new Error(`PostgreSQL does not answer: ${error.message}`);
      await pause(25);
    }
  }
}

/** The function that stops the server; it also runs when this process ends in any way that can be noticed. */
function stopper(server, folder) {
  const isRunning = () => server.exitCode === null && server.signalCode === null && server.pid !== undefined;
  const abandon = () => {
    // SIGQUIT ends it at once; its data is about to go.
    if (isRunning()) server.kill("SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const onSignal = (signal) => {
    unregister();
    abandon();
    // Whoever else listens decides how this process ends; if nobody does, it ends as it would have.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const unregister = () => {
    process.off("exit", abandon);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.on("exit", abandon);
  for (const signal of signals) process.on(signal, onSignal);

  return async () => {
    if (isRunning()) {
      const ended = once(server, "exit");
      // A fast shutdown: it ends the sessions that are still open.
      server.kill("SIGINT");
      const hurry = setTimeout(() => server.kill("SIGQUIT"), STOP_MS);
      await ended;
      clearTimeout(hurry);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    unregister();
  };
}

function serverOf({ host, port, user, password, stop }) {
  const authority = `${encodeURIComponent(user)}${password ? `:${encodeURIComponent(password)}` : ""}`;
  const url = (database) => `postgresql://${authority}@${host}:${port}/${encodeURIComponent(database)}`;
  return { host, port, user, password, url, stop };
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

const say = (step) => process.stderr.write(`postgresql: ${step}\n`);
