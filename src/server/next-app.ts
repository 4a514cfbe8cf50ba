import { createServer } from "node:http";
import vm from "node:vm";
import type { Config } from "@/kernel/config/config.ts";
import { restoreDate } from "./original-date.ts";
import type { NextHandler } from "./pages.ts";

/** Starts Next in this process, for the pages in the working directory of the project. */
export async function startNext(config: Config): Promise<NextHandler> {
  evaluateManifestsHere();
  const originalDate = Date;
  const { default: next } = await import("next");
  // With `quiet`, Next does not write complete errors to the terminal. `recordPageFailure` writes the errors
  // to the log without secrets.
  const app = next({
    dev: false,
    quiet: true,
    dir: process.cwd(),
    hostname: config.host,
    port: config.port,
    // Next adds its listener for `upgrade` to a server object that is not used for requests. On the real
    // server, the listener would receive all requests with an `Upgrade` header, and would destroy their
    // connections.
    httpServer: createServer(),
  });
  const handle = app.getRequestHandler();
  await app.prepare();
  restoreDate(originalDate);
  return handle;
}

const MANIFEST = "globalThis.__RSC_MANIFEST";

/**
 * Replaces the function with which Next evaluates the manifest of each page in a separate V8 context. Such a
 * context stays in memory and takes 150 KB per page. A manifest only assigns to `globalThis` and reads
 * `process`, so a function with these two parameters has the same effect.
 */
function evaluateManifestsHere(): void {
  const { runInNewContext } = vm;
  vm.runInNewContext = (code, context, options) => {
    if (typeof context !== "object" || !code.startsWith(MANIFEST))
      return runInNewContext(code, context, options);
    vm.compileFunction(code, ["globalThis", "process"])(context, context["process"]);
  };
}
