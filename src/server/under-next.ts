import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage, ServerResponse } from "node:http";
import { firstStartSentence, openInstance } from "@/features/instance/service.ts";
import { processConfig } from "@/platform/config.ts";
import { depsAreOpen, systemDeps } from "@/platform/deps.ts";
import { isSecure } from "@/platform/http/cookie.ts";
import { answeringFromHere } from "@/platform/http/page-status.ts";
import { REQUEST_ID_HEADER } from "@/platform/http/request-id.ts";
import { openLog } from "@/platform/log.ts";
import { receive } from "./arrival.ts";
import { loggablePath } from "./request-log.ts";
import { pathOf } from "./request-path.ts";

/**
 * Makes a plain `next start` or `next dev` a whole instance. In our own server, which has opened the database and
 * receives the requests before Next does, there is nothing left to do.
 */
export async function openUnderNext(): Promise<void> {
  if (depsAreOpen()) return;
  const config = processConfig();
  const { firstStart } = await openInstance(config);
  if (firstStart !== null) process.stdout.write(`${firstStartSentence(firstStart)}\n`);
  const parts = {
    trusted: config.trustedProxies,
    secure: isSecure(config),
    log: openLog(config.logLevel),
  };
  // Next has no hook for a request that comes before its router, which fails on paths that we refuse.
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: unknown; response: unknown };
    if (request instanceof IncomingMessage && response instanceof ServerResponse) {
      receive(request, response, parts);
      answeringFromHere(response);
    }
  });
}

/** Writes down what a page threw, as the log has every error. */
export function noteFailure(
  cause: unknown,
  { path, headers }: Readonly<{ path: string; headers: NodeJS.Dict<string | string[]> }>,
): void {
  const request_id = String(headers[REQUEST_ID_HEADER]);
  systemDeps().log.error({ event: "page.failed", path: loggablePath(pathOf(path)), request_id }, cause);
}
