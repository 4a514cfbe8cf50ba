import { once } from "node:events";
import type { Server } from "node:http";
import { writeLastUses } from "@/instance/last-use/service.ts";
import type { Config } from "@/kernel/config/config.ts";
import { isSecure } from "@/kernel/http/cookie.ts";
import { openLog } from "@/kernel/log/log.ts";
import { writeDeprecatedUses } from "@/operations/deprecated-uses/service.ts";
import { JOBS } from "./compose.ts";
import {
  type FirstStart,
  firstStartSentence,
  type Instance,
  openInstance,
  SERVER_PATIENCE_MS,
} from "./first-start.ts";
import { createGatehouseServer } from "./http-server.ts";
import { startNext } from "./next-app.ts";
import { setStartStage } from "./readiness.ts";
import { stopServer } from "./stop.ts";

/** The time after which a stop ends the process without further waiting. */
const EXIT_WITHIN_MS = 4_900;

/**
 * Serves requests until SIGTERM or SIGINT. The server opens the port first, so that a second server changes
 * nothing, and then opens and migrates the database. Next prepares its pages while the endpoints already
 * serve requests.
 * @throws an Error whose message is a sentence for the terminal when the server cannot start.
 */
export async function serve(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  const { routeFiles } = await import("virtual:routes");
  const stages = { opened: deferred<void>(), pages: deferred<Awaited<ReturnType<typeof startNext>>>() };
  const server = createGatehouseServer({
    routeFiles,
    pages: stages.pages.promise,
    opened: stages.opened.promise,
    trusted: config.trustedProxies,
    secure: isSecure(config),
    issuer: config.issuer,
    log,
  });
  await listen(server, config);
  const stopped = new AbortController();
  const stopAsked = stopSignal().then(() => {
    setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
    log.info({ event: "server.stopping" });
    stopped.abort();
  });
  const instance = await openWhileServing(config, server, stopped.signal);
  if (instance === null) return;
  stages.opened.resolve();
  announce(config, instance.firstStart);
  const stopJobs = JOBS.map((start) => start(instance.deps));
  startNext(config).then(stages.pages.resolve, (cause) => {
    log.error({ event: "server.pages_failed" }, cause);
    stages.pages.reject(cause);
  });
  await stopAsked;
  await Promise.all([stopServer(server), ...stopJobs.map((stop) => stop())]);
  await Promise.all([writeLastUses(instance.deps), writeDeprecatedUses(instance.deps)]);
  await instance.close();
}

/** Returns null when a signal has stopped the start. */
async function openWhileServing(
  config: Config,
  server: Server,
  signal: AbortSignal,
): Promise<Instance | null> {
  const options = {
    signal,
    onStage: setStartStage,
    report: writeReport,
    patienceMs: SERVER_PATIENCE_MS,
  };
  try {
    return await openInstance(config, options);
  } catch (cause) {
    server.close();
    server.closeAllConnections();
    if (signal.aborted) return null;
    throw cause;
  }
}

/** Writes a line to the terminal, because the log is JSON and cannot report a failure before it is open. */
const writeReport = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

function announce(config: Config, firstStart: FirstStart | null): void {
  process.stdout.write(`Gatehouse is listening on ${config.issuer}\n`);
  if (firstStart !== null) process.stdout.write(`${firstStartSentence(firstStart)}\n`);
}

function deferred<Value>() {
  let settle: { resolve: (value: Value) => void; reject: (cause: unknown) => void } | undefined;
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return {
    promise,
    resolve: (value: Value) => settle?.resolve(value),
    reject: (cause: unknown) => settle?.reject(cause),
  };
}

const LISTEN_PROBLEMS: Readonly<Record<string, (config: Config) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `Port ${port} on ${host} is already in use. Stop the program that listens on it, or set PORT to another port.`,
  EACCES: ({ port }) =>
    `This account is not allowed to listen on port ${port}. Set PORT to a port above 1023.`,
  EADDRNOTAVAIL: ({ host }) =>
    `This machine has no IP address ${host}. Set HOST to an address of this machine.`,
  ENOTFOUND: ({ host }) => `The name ${host} cannot be found. Set HOST to an address of this machine.`,
};

async function listen(server: Server, config: Config): Promise<void> {
  server.listen({ port: config.port, host: config.host });
  try {
    await once(server, "listening");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    throw new Error(LISTEN_PROBLEMS[code]?.(config) ?? `The server cannot listen: ${String(cause)}`, {
      cause,
    });
  }
}

/**
 * A terminal sends its signal to npm and to this process, and npm forwards the signal: a repeated signal is
 * not a request for an immediate end.
 */
const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
  });
