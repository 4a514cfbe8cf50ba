import type { Server } from "node:http";
import { writeLastUses } from "@/instance/last-use/service.ts";
import { writeStatistics } from "@/instance/statistics/service.ts";
import type { Config } from "@/kernel/config/config.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { isSecure } from "@/kernel/http/cookie.ts";
import type { Logger } from "@/kernel/log/log.ts";
import { deferred } from "@/kernel/process/deferred.ts";
import { writePolls } from "@/oauth/device-authorizations/poll-times.ts";
import { writeDeprecatedUses } from "@/operations/deprecated-uses/service.ts";
import { BACKGROUND_WORK } from "./compose.ts";
import { type Instance, openInstance, type StartOptions } from "./first-start.ts";
import { createGatehouseServer } from "./http-server.ts";
import { collectMetrics } from "./metrics.ts";
import { startNext } from "./next-app.ts";
import type { NextHandler } from "./pages.ts";
import { stopServer } from "./stop.ts";
import { openTracing } from "./tracing.ts";
import { keepYoungGenerationSmall } from "./young-generation.ts";

/**
 * The HTTP server of a process that serves requests, before the server listens on a port. Requests wait until
 * the instance is open.
 */
export type RequestServer = Readonly<{
  server: Server;
  /** Handles the waiting requests, and prepares the pages while the endpoints already serve requests. */
  serve: () => void;
  /** Finishes the open requests, ends the background work of requests, and writes the buffered rows. */
  drain: (deps: Deps) => Promise<void>;
  /** Sends the last spans to the collector of traces. */
  closeTracing: () => Promise<void>;
}>;

/** Creates the HTTP server of this process. */
export async function createRequestServer(config: Config, log: Logger): Promise<RequestServer> {
  const allowGrowth = keepYoungGenerationSmall();
  const { routeFiles } = await import("virtual:routes");
  if (config.metrics !== null) await collectMetrics();
  const closeTracing = await openTracing(config, log);
  const opened = deferred<void>();
  const pages = deferred<NextHandler>();
  const server = createGatehouseServer({
    routeFiles,
    pages: pages.promise,
    opened: opened.promise,
    trusted: config.trustedProxies,
    secure: isSecure(config),
    issuer: config.issuer,
    log,
  });
  return {
    server,
    closeTracing,
    serve: () => {
      opened.resolve();
      startNext(config)
        .then(pages.resolve, (cause) => {
          log.error({ event: "server.pages_failed" }, cause);
          pages.reject(cause);
        })
        .finally(allowGrowth);
    },
    drain: async (deps) => {
      await Promise.all([stopServer(server), ...BACKGROUND_WORK.map((stop) => stop())]);
      await Promise.all([
        writeLastUses(deps),
        writeDeprecatedUses(deps),
        writeStatistics(deps),
        writePolls(deps),
      ]);
    },
  };
}

/**
 * Opens the instance while `server` already listens, and closes the server when the instance cannot be
 * opened.
 * @returns null when a signal has stopped the start.
 * @throws the same errors as `openInstance`.
 */
export async function openWhileListening(
  config: Config,
  server: Server,
  options: StartOptions & Readonly<{ signal: AbortSignal }>,
): Promise<Instance | null> {
  try {
    return await openInstance(config, options);
  } catch (cause) {
    server.close();
    server.closeAllConnections();
    if (options.signal.aborted) return null;
    throw cause;
  }
}
