import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createCluster, spawnServer } from "../../scripts/postgres.mjs";
import { freePort } from "../../scripts/program.mjs";

/** A PostgreSQL server that a test stops, pauses and starts again on the same data. */
export type DatabaseServer = Readonly<{
  url: string;
  /** Starts the PostgreSQL server after `crash`, and waits until the server accepts connections. */
  start: () => Promise<void>;
  /** Ends the PostgreSQL server without a checkpoint, as after `pg_ctl stop --mode=immediate`. */
  crash: () => Promise<void>;
  /**
   * Stops all processes of the PostgreSQL server with SIGSTOP: connections stay open, and no process
   * responds.
   */
  freeze: () => void;
  unfreeze: () => void;
  /** Runs statements as the superuser. */
  administer: (statements: string) => Promise<void>;
  /** Ends the PostgreSQL server, and deletes its data. */
  remove: () => Promise<void>;
}>;

/**
 * `synchronous_commit` is on, because acknowledged writes must survive a crash of this server. The files of
 * the test database need not survive a power failure.
 */
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=on",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "log_min_messages=fatal",
];

const READY_WITHIN_MS = 30_000;

/** Sends a signal to a process, unless the process has ended. A backend ends when its client disconnects. */
function sendSignal(processId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(processId, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause;
  }
}

/** Starts a PostgreSQL server with an empty database. */
export async function startDatabaseServer(settings: readonly string[] = []): Promise<DatabaseServer> {
  const cluster = createCluster();
  const port = await freePort();
  const url = `postgresql://${cluster.user}@127.0.0.1:${port}/postgres`;
  const spawnNow = () => spawnServer(cluster, port, [...SETTINGS, ...settings]);
  let server = spawnNow();

  const administer = async (statements: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    await client.connect();
    await client.query(statements).finally(() => client.end());
  };
  const untilReady = async (): Promise<void> => {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with status ${server.exitCode}.`);
      const isReady = await administer("SELECT 1").then(
        () => true,
        () => false,
      );
      if (isReady) return;
      if (Date.now() > deadline) throw new Error("PostgreSQL does not respond.");
      await pause(20);
    }
  };
  /** Sends a signal to the PostgreSQL server and to its backends, which are its child processes. */
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const id of [server.pid ?? 0, ...childrenOf(server.pid ?? 0)]) sendSignal(id, signal);
  };
  const crash = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGQUIT");
    await ended;
  };

  await untilReady();
  return {
    url,
    administer,
    crash,
    start: async () => {
      server = spawnNow();
      await untilReady();
    },
    freeze: () => signalAll("SIGSTOP"),
    unfreeze: () => signalAll("SIGCONT"),
    remove: async () => {
      signalAll("SIGCONT");
      await crash();
      rmSync(cluster.folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const processes = (): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Returns the ids of the child processes of a process. */
export const childrenOf = (processId: number): readonly number[] =>
  processes().filter((id) => parentOf(id) === processId);

/** Returns the ids of the processes whose working directory is in a folder. */
export const processesIn = (folder: string): readonly number[] =>
  processes().filter((id) => workingFolderOf(id).startsWith(folder));

function workingFolderOf(processId: number): string {
  try {
    return readlinkSync(`/proc/${processId}/cwd`);
  } catch {
    // The process has ended, so its file in /proc no longer exists.
    return "";
  }
}

function parentOf(processId: number): number | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    // The process has ended, so its file in /proc no longer exists.
    return null;
  }
}
