import cluster from "node:cluster";
import { type Config, processConfig } from "@/kernel/config/config.ts";
import { openLog } from "@/kernel/log/log.ts";
import { metricValues } from "@/kernel/metrics/metrics.ts";
import { deferred } from "@/kernel/process/deferred.ts";
import { setAllWorkersStarted, setStartStage } from "@/operations/health/readiness.ts";
import { SERVER_PATIENCE_MS } from "./first-start.ts";
import { listen } from "./listen.ts";
import { createRequestServer, openWhileListening } from "./request-server.ts";
import { followSecret } from "./secret-follower.ts";
import { receiveStopSignal } from "./stop-signal.ts";
import { writeReport } from "./terminal.ts";
import type { Order, Report } from "./worker-messages.ts";
import { receiveMetricsOrder } from "./worker-metrics.ts";
import { writerProgram } from "./writer-program.ts";

/**
 * Serves requests as a worker until SIGTERM, and then ends the process. The worker reports its failures to
 * the primary process.
 * @param options.opensFirst true if the worker opens the instance before it accepts connections, because
 * other workers already serve requests. If `opensFirst` is false, the worker already listens while the
 * primary process migrates the database, so that the worker can respond to probes.
 */
export async function runWorker(options: Readonly<{ opensFirst: boolean }>): Promise<never> {
  try {
    await serveRequests(processConfig(), options);
    return process.exit(0);
  } catch (cause) {
    await report({ kind: "failed", message: cause instanceof Error ? cause.message : String(cause) });
    return process.exit(1);
  }
}

async function serveRequests(
  config: Config,
  { opensFirst }: Readonly<{ opensFirst: boolean }>,
): Promise<void> {
  const log = openLog(config.logLevel);
  const mayOpen = receiveOrders();
  await report({ kind: "waiting" });
  const stop = receiveStopSignal(log);
  const requests = await createRequestServer(config, log);
  if (!opensFirst) {
    await listen(requests.server, config);
    await report({ kind: "listening" });
  }
  await Promise.race([mayOpen, stop.asked]);
  if (stop.signal.aborted) return;
  const instance = await openWhileListening(config, requests.server, {
    signal: stop.signal,
    report: writeReport,
    patienceMs: SERVER_PATIENCE_MS,
    writerThread: await writerProgram(),
    isMigrated: true,
  });
  if (instance === null) return;
  requests.serve();
  if (opensFirst) await listen(requests.server, config);
  const stopFollowing = followSecret(instance.deps);
  await report({ kind: "started" });
  await stop.asked;
  await stopFollowing();
  await requests.drain(instance.deps);
  // The primary process retains the counters of ended workers.
  await report({ kind: "metrics", id: UNREQUESTED, values: await metricValues() });
  await Promise.all([instance.close(), requests.closeTracing()]);
}

/** The id of a report that the primary process has not requested. */
const UNREQUESTED = 0;

/** Handles the orders of the primary process. The promise resolves when the worker may open the database. */
function receiveOrders(): Promise<void> {
  const mayOpen = deferred<void>();
  process.on("message", (order: Order) => {
    if (order.kind === "stage") setStartStage(order.stage);
    else if (order.kind === "open") mayOpen.resolve();
    else if (order.kind === "all_started") setAllWorkersStarted();
    else void receiveMetricsOrder(order, report);
  });
  return mayOpen.promise;
}

/**
 * Sends a message to the primary process. The promise resolves when the message is written, so that the
 * process can end without losing the message.
 */
const report = (message: Report): Promise<void> =>
  new Promise((resolve) => {
    if (cluster.worker?.isConnected()) cluster.worker.send(message, () => resolve());
    else resolve();
  });
