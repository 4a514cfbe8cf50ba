import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../scripts/program.mjs";
import { temporaryFolder } from "./folder.ts";
import { needs } from "./machine.ts";
import { afterThisFile } from "./release.ts";

/** The options of tests that need PgBouncer. */
export const PGBOUNCER = needs({ pgbouncer: spawnSync("pgbouncer", ["--version"]).status === 0 });

const READY_MS = 10_000;

/**
 * Starts PgBouncer in transaction mode in front of a database server, until the end of the test file.
 * @param poolSize the number of connections to the server for each database.
 * @returns a function that returns the URL of a database through PgBouncer.
 */
export async function startPgbouncer(
  server: URL,
  poolSize: number,
): Promise<(databaseUrl: string) => string> {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const password = server.password === "" ? "" : ` password=${decodeURIComponent(server.password)}`;
  const settings = [
    "[databases]",
    `* = host=${server.hostname} port=${server.port || 5432} user=${decodeURIComponent(server.username)}${password}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${poolSize}`,
    "max_client_conn = 500",
    "server_check_delay = 0",
  ];
  writeFileSync(file, settings.join("\n"));
  // PgBouncer refuses to run as root.
  for (const path of [folder, file]) chmodSync(path, 0o755);
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const program = spawn("pgbouncer", [...asUser, file], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  program.stderr.on("data", (text) => {
    log = `${log}${text}`.slice(-2_000);
  });
  afterThisFile(async () => {
    if (program.exitCode !== null) return;
    program.kill("SIGKILL");
    await once(program, "exit");
  });
  const urlOf = (databaseUrl: string): string => {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${port}`;
    url.searchParams.set("pgbouncer", "true");
    return url.href;
  };
  const startedAt = performance.now();
  while (!(await responds(urlOf(server.href)))) {
    if (program.exitCode !== null || performance.now() - startedAt > READY_MS)
      throw new Error(`PgBouncer did not start: ${log}`);
    await pause(50);
  }
  return urlOf;
}

async function responds(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}
