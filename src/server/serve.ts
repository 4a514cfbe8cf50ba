import type { Config } from "@/kernel/config/config.ts";
import { openLog } from "@/kernel/log/log.ts";
import { setStartStage } from "@/operations/health/readiness.ts";
import { JOBS } from "./compose.ts";
import { SERVER_PATIENCE_MS } from "./first-start.ts";
import { listen } from "./listen.ts";
import { createRequestServer, openWhileListening } from "./request-server.ts";
import { followSecret } from "./secret-follower.ts";
import { receiveStopSignal } from "./stop-signal.ts";
import { announce, writeReport } from "./terminal.ts";
import { writerProgram } from "./writer-program.ts";

/**
 * Serves requests until SIGTERM or SIGINT, in this process or in worker processes. The server opens the port
 * first, so that a second server on the same port fails before it changes the database. The server then opens
 * and migrates the database. The endpoints respond before Next has prepared its pages.
 * @throws an Error whose message is a sentence for the terminal when the server cannot start.
 */
export async function serve(config: Config): Promise<void> {
  if (config.workers === 1) return serveHere(config);
  const { serveByWorkers } = await import("./primary.ts");
  return serveByWorkers(config);
}

async function serveHere(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  const requests = await createRequestServer(config, log);
  await listen(requests.server, config);
  const stop = receiveStopSignal(log);
  const instance = await openWhileListening(config, requests.server, {
    signal: stop.signal,
    onStage: setStartStage,
    report: writeReport,
    patienceMs: SERVER_PATIENCE_MS,
    writerThread: await writerProgram(),
  });
  if (instance === null) return;
  requests.serve();
  announce(config, instance.firstStart);
  const stopJobs = [followSecret, ...JOBS].map((start) => start(instance.deps));
  await stop.asked;
  await Promise.all([requests.drain(instance.deps), ...stopJobs.map((stopJob) => stopJob())]);
  await Promise.all([instance.close(), requests.closeTracing()]);
}
