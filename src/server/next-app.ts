import { createServer } from "node:http";
import vm from "node:vm";
import type { Config } from "@/kernel/config/config.ts";
import type { NextHandler } from "./pages.ts";

/** Starts Next in this process, for the pages of the project in the working directory. */
export async function startNext(config: Config): Promise<NextHandler> {
  evaluateManifestsHere();
  const { default: next } = await import("next");
  // Next writes errors to the terminal whole; the log has them by `recordPageFailure`, as it may.
  const app = next({
    dev: false,
    quiet: true,
    dir: process.cwd(),
    hostname: config.host,
    port: config.port,
    // Next adds a listener for `upgrade` to this unused server; without it, to the server that receives the requests.
    // With such a listener, Node no
    // longer answers requests that have an `Upgrade` header as ordinary requests, and Next destroys their
    // connections.
    httpServer: createServer(),
  });
  const handle = app.getRequestHandler();
  await app.prepare();
  return handle;
}

const MANIFEST = "globalThis.__RSC_MANIFEST";

/**
 * Next evaluates the manifest of each page in a V8 context of its own, which it keeps: 150 KB for a page. A manifest
 * only assigns to `globalThis` and reads `process`, so a function with these two as parameters does the same.
 */
function evaluateManifestsHere(): void {
  const { runInNewContext } = vm;
  vm.runInNewContext = (code, context, options) => {
    if (typeof context !== "object" || !code.startsWith(MANIFEST))
      return runInNewContext(code, context, options);
    vm.compileFunction(code, ["globalThis", "process"])(context, context["process"]);
  };
}
