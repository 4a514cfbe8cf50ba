import { once } from "node:events";
import type { Server } from "node:http";
import { writeDeprecatedUses } from "@/features/deprecated-uses/service.ts";
import { type FirstStart, firstStartSentence, openInstance } from "@/features/instance/service.ts";
import { writeLastUses } from "@/features/last-use/service.ts";
import { stopTidying } from "@/features/repositories/housekeeping.ts";
import type { Config } from "@/platform/config.ts";
import { isSecure } from "@/platform/http/cookie.ts";
import { openLog } from "@/platform/log.ts";
import { createGatehouseServer } from "./http-server.ts";
import { startNext } from "./next-app.ts";
import { keepPruned } from "./pruning.ts";
import { keepRegistryTidy } from "./registry-upkeep.ts";
import { stopServer } from "./stop.ts";

/** A stop that takes longer than this ends without grace. */
const EXIT_WITHIN_MS = 4_900;

/**
 * Serves until SIGTERM or SIGINT. The port is taken first, so that a second server changes nothing; then the
 * database is opened and migrated; Next prepares its pages while the endpoints already answer.
 * @throws an Error with a sentence for the person at the terminal when the server cannot start.
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
  const stopAsked = stopSignal();
  const instance = await openInstance(config).catch((cause) => closeAndThrow(server, cause));
  stages.opened.resolve();
  announce(config, instance.firstStart);
  const stopPruning = keepPruned(instance.deps);
  const stopRemoving = keepRegistryTidy(instance.deps);
  startNext(config).then(stages.pages.resolve, (cause) => {
    log.error({ event: "server.pages_failed" }, cause);
    stages.pages.reject(cause);
  });
  await stopAsked;
  setTimeout(() => process.exit(1), EXIT_WITHIN_MS).unref();
  log.info({ event: "server.stopping" });
  await Promise.all([stopServer(server), stopPruning(), stopTidying(), stopRemoving()]);
  await Promise.all([writeLastUses(instance.deps), writeDeprecatedUses(instance.deps)]);
  await instance.close();
}

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
    `Port ${port} on ${host} is already in use. Stop what listens there, or set PORT to another one.`,
  EACCES: ({ port }) => `This account may not listen on port ${port}. Set PORT to one above 1023.`,
  EADDRNOTAVAIL: ({ host }) => `This machine has no address ${host}. Set HOST to one that it has.`,
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

function closeAndThrow(server: Server, cause: unknown): never {
  server.close();
  server.closeAllConnections();
  throw cause;
}

/** A terminal sends its signal to npm and to us, and npm passes it on: a repeated one is not impatience. */
const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
  });
