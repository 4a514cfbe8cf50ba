import { createServer } from "node:http";
import type { Config } from "@/kernel/config/config.ts";
import type { NextHandler } from "./pages.ts";

/** Starts Next in this process, for the pages of the project in the working directory. */
export async function startNext(config: Config): Promise<NextHandler> {
  const { default: next } = await import("next");
  // Next writes errors to the terminal whole; the log has them by `noteFailure`, as it may.
  const app = next({
    dev: false,
    quiet: true,
    dir: process.cwd(),
    hostname: config.host,
    port: config.port,
    // Next adds a listener for `upgrade` to this server, or else to ours: with such a listener, Node no longer answers
    // requests that have an `Upgrade` header as ordinary requests, and Next destroys their connections.
    httpServer: createServer(),
  });
  const handle = app.getRequestHandler();
  await app.prepare();
  return handle;
}
