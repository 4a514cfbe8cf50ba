import cluster, { type Worker } from "node:cluster";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "@/kernel/config/config.ts";
import { type Logger, openLog } from "@/kernel/log/log.ts";
import { count as increase } from "@/kernel/metrics/metrics.ts";
import { deferred } from "@/kernel/process/deferred.ts";
import type { StartStage } from "@/operations/health/readiness.ts";
import { JOBS } from "./compose.ts";
import { openInstance, SERVER_PATIENCE_MS } from "./first-start.ts";
import { collectMetrics, type WorkerCounts } from "./metrics.ts";
import { followSecret } from "./secret-follower.ts";
import { receiveStopSignal } from "./stop-signal.ts";
import { announce, writeReport } from "./terminal.ts";
import { openTracing } from "./tracing.ts";
import type { Order, Report } from "./worker-messages.ts";
import { metricsOfWorkers } from "./worker-metrics.ts";
import { restartPauses } from "./worker-restarts.ts";

/** The path of the worker program, relative to the working directory. */
const PROGRAM = "dist/worker.mjs";

/**
 * Serves requests through worker processes until SIGTERM or SIGINT. The current process is the primary
 * process. The primary process opens the port through the first worker, migrates the database, runs the
 * scheduled jobs, and replaces workers that end.
 * @throws an Error whose message is a sentence for the terminal when the server cannot start.
 */
export async function serveByWorkers(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  const workers = superviseWorkers(config.workers, log);
  const stop = receiveStopSignal(log, workers.kill);
  void stop.asked.then(workers.stop);
  try {
    await Promise.race([workers.listening, stop.asked]);
    if (stop.signal.aborted) return;
    const closeTracing = await openTracing(config, log);
    const instance = await openInstance(config, {
      signal: stop.signal,
      onStage: workers.setStage,
      report: writeReport,
      patienceMs: SERVER_PATIENCE_MS,
    });
    if (config.metrics !== null) await collectMetrics(workers.counts);
    workers.open();
    const stopJobs = [followSecret, ...JOBS].map((start) => start(instance.deps));
    try {
      await Promise.race([workers.started, stop.asked]);
      if (!stop.signal.aborted) announce(config, instance.firstStart);
      await stop.asked;
    } finally {
      await Promise.all([workers.stop(), ...stopJobs.map((stopJob) => stopJob())]);
      await Promise.all([instance.close(), closeTracing()]);
    }
  } catch (cause) {
    if (!stop.signal.aborted) throw cause;
  } finally {
    await workers.stop();
  }
}

/** A message of a worker about its start. */
type StartReport = Extract<Report, { kind: "listening" | "started" | "failed" }>;

type Workers = Readonly<{
  /**
   * A promise that resolves when the first worker has opened the port, and that rejects with the reason when
   * the port cannot be opened.
   */
  listening: Promise<void>;
  /**
   * A promise that resolves when every worker has started once, and that rejects when a worker cannot start.
   */
  started: Promise<void>;
  setStage: (stage: StartStage) => void;
  counts: () => WorkerCounts;
  /** Sends the order to open the database to all current and later workers. */
  open: () => void;
  /**
   * Stops all workers after their open requests have ended, and does not replace the workers. The promise
   * resolves when no worker is running.
   */
  stop: () => Promise<void>;
  /** Ends all workers immediately. */
  kill: () => void;
}>;

/** Starts `count` workers, and replaces workers that end. */
function superviseWorkers(count: number, log: Logger): Workers {
  const running = new Set<Worker>();
  const ready = new Set<Worker>();
  const startedNumbers = new Set<number>();
  const listening = deferred<void>();
  const started = deferred<void>();
  const stopping = new AbortController();
  /**
   * All orders that the primary process has sent to its workers. A worker that starts later receives all
   * earlier orders.
   */
  const orders: Order[] = [];

  const metrics = metricsOfWorkers(() => [...running].filter((worker) => worker.isConnected()));
  const send = (worker: Worker, order: Order): void => {
    // The message channel to a worker that has ended is closed. The primary process handles the end of a
    // worker in the event `exit`.
    if (worker.isConnected()) worker.send(order, () => undefined);
  };
  const broadcast = (order: Order): void => {
    orders.push(order);
    for (const worker of running) send(worker, order);
  };

  function receive(number: number, report: StartReport): void {
    if (report.kind === "listening") listening.resolve();
    else if (report.kind === "started") {
      startedNumbers.add(number);
      if (startedNumbers.size < count || orders.some(({ kind }) => kind === "all_started")) return;
      broadcast({ kind: "all_started" });
      started.resolve();
    } else {
      log.error({ event: "worker.failed", worker: number, reason: report.message });
      // After the first start, the promises `listening` and `started` are already resolved, so the rejection
      // has no effect. The primary process then replaces the failed worker until a replacement starts
      // successfully.
      for (const { reject } of [listening, started]) reject(new Error(report.message));
    }
  }

  async function keepRunning(number: number): Promise<void> {
    const pauseAfter = restartPauses();
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const { code, signal } = await runWorker(number);
      if (stopping.signal.aborted) return;
      const pauseMs = pauseAfter(performance.now() - startedAt);
      log.error({
        event: "worker.ended",
        worker: number,
        exit_code: code,
        signal,
        replaced_after_ms: pauseMs,
      });
      increase("gatehouse_worker_restarts_total", {});
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  /** Starts one worker, and resolves when the worker has ended. */
  function runWorker(number: number): Promise<{ code: number | null; signal: string | null }> {
    const order = orders.some(({ kind }) => kind === "open") ? "open-first" : "listen-first";
    cluster.setupPrimary({ exec: resolve(PROGRAM), args: [String(number), String(count), order] });
    const worker = cluster.fork();
    running.add(worker);
    log.info({ event: "worker.started", worker: number, process_id: worker.process.pid });
    worker.on("message", (report: Report) => {
      if (report.kind === "waiting") for (const sent of orders) send(worker, sent);
      else if (report.kind === "metrics_wanted" || report.kind === "metrics") metrics.receive(worker, report);
      else {
        if (report.kind === "started") ready.add(worker);
        receive(number, report);
      }
    });
    // The message channel closes after the primary process has received all messages of the worker.
    worker.once("disconnect", () => metrics.retain(worker));
    const closeHandedConnection = watchHandedConnections(worker);
    return new Promise((end) => {
      worker.once("exit", (code: number | null, signal: string | null) => {
        running.delete(worker);
        ready.delete(worker);
        closeHandedConnection();
        end({ code, signal });
      });
    });
  }

  const allEnded = Promise.all(Array.from({ length: count }, (_, index) => keepRunning(index + 1)));
  return {
    listening: listening.promise,
    started: started.promise,
    counts: () => ({ configured: count, ready: ready.size }),
    setStage: (stage) => broadcast({ kind: "stage", stage }),
    open: () => broadcast({ kind: "open" }),
    stop: async () => {
      if (!stopping.signal.aborted) {
        stopping.abort();
        for (const worker of running) worker.process.kill("SIGTERM");
      }
      await allEnded;
    },
    kill: () => {
      for (const worker of running) worker.process.kill("SIGKILL");
    },
  };
}

/**
 * Closes a connection that was passed to a worker, if the worker ended before it accepted the connection.
 * Otherwise, Node would keep the connection open, and the client would wait for a response forever.
 * @returns a function that closes the last connection that was passed to the worker. Node passes connections
 * to a worker one at a time, and has already closed its own handle of every accepted connection.
 */
function watchHandedConnections({ process: child }: Worker): () => void {
  let last: Readonly<{ close: () => void }> | null = null;
  const send = child.send;
  child.send = function (this: typeof child, ...args: unknown[]) {
    const [message, handle] = args as [{ act?: string } | null, { close: () => void } | undefined];
    if (message?.act === "newconn" && handle !== undefined) last = handle;
    return Reflect.apply(send, this, args);
  };
  return () => last?.close();
}
