import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage, Server, ServerResponse } from "node:http";
import { processConfig } from "@/kernel/config/config.ts";
import { isSecure } from "@/kernel/http/cookie.ts";
import { answeringFromHere } from "@/kernel/http/page-status.ts";
import { openLog } from "@/kernel/log/log.ts";
import { closeAfterEarlyResponse } from "./early-response.ts";
import { firstStartSentence, openInstance, SERVER_PATIENCE_MS } from "./first-start.ts";
import { describeRefusedMethod } from "./method-not-allowed.ts";
import { replaceFailedPages } from "./page-failure.ts";
import { removePageHeaders } from "./page-response.ts";
import { intakeRequest } from "./request-intake.ts";

/**
 * Adds the functions of the server to a plain `next start` or `next dev`, so that the process is a complete
 * instance.
 */
export async function openUnderNext({ hotReload }: Readonly<{ hotReload: boolean }>): Promise<void> {
  const config = processConfig();
  const report = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  const { firstStart } = await openInstance(config, { report, patienceMs: SERVER_PATIENCE_MS });
  if (firstStart !== null) process.stdout.write(`${firstStartSentence(firstStart)}\n`);
  const parts = {
    trusted: config.trustedProxies,
    secure: isSecure(config),
    issuer: config.issuer,
    log: openLog(config.logLevel),
  };
  if (!hotReload) subscribe("net.server.socket", removeUpgradeListeners);
  // Next provides no function that runs before the router of Next, and the router fails for paths that the
  // server must refuse. A subscriber of a diagnostics channel therefore prepares the request.
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: unknown; response: unknown };
    if (request instanceof IncomingMessage && response instanceof ServerResponse) {
      removePageHeaders(request);
      intakeRequest(request, response, parts);
      closeAfterEarlyResponse(request, response);
      describeRefusedMethod(request, response);
      replaceFailedPages(request, response);
      answeringFromHere(response);
    }
  });
}

/**
 * Removes the upgrade listeners of the HTTP server. The upgrade listener of Next handles hot reload, and
 * destroys the connection of any other upgrade request.
 */
function removeUpgradeListeners(message: unknown): void {
  const { socket } = message as { socket: { server?: unknown } };
  if (socket.server instanceof Server) socket.server.removeAllListeners("upgrade");
}
