import cluster, { type Worker } from "node:cluster";
import { addUpMetrics, countersOf, type MetricValues, metricValues } from "@/kernel/metrics/metrics.ts";
import { processWide } from "@/kernel/process/process-wide.ts";
import type { Order, Report } from "./worker-messages.ts";

/**
 * The time within which a worker must report its metrics. Of a slower worker, the response contains only the last
 * reported counters.
 */
const REPORTED_WITHIN_MS = 2_000;

type MetricsOrder = Extract<Order, { kind: "report_metrics" | "all_metrics" }>;
type MetricsReport = Extract<Report, { kind: "metrics_wanted" | "metrics" }>;

const requests = processWide("metrics-requests", () => ({
  last: 0,
  open: new Map<number, (processes: readonly MetricValues[]) => void>(),
}));

/**
 * Returns the metrics of all processes of this server, which the worker requests from the primary process. If
 * the primary process does not respond, the result contains only the metrics of this process.
 */
export async function metricsOfAllProcesses(): Promise<readonly MetricValues[]> {
  const { worker } = cluster;
  if (worker === undefined || !worker.isConnected()) return [await metricValues()];
  const id = ++requests().last;
  const received = new Promise<readonly MetricValues[]>((resolve) => requests().open.set(id, resolve));
  const timer = setTimeout(
    async () => requests().open.get(id)?.([await metricValues()]),
    2 * REPORTED_WITHIN_MS,
  );
  worker.send({ kind: "metrics_wanted", id } satisfies Report);
  try {
    return await received;
  } finally {
    clearTimeout(timer);
    requests().open.delete(id);
  }
}

/** Handles an order that the primary process sent to this worker. */
export async function receiveMetricsOrder(
  order: MetricsOrder,
  report: (message: Report) => Promise<void>,
): Promise<void> {
  if (order.kind === "all_metrics") requests().open.get(order.id)?.(order.processes);
  else await report({ kind: "metrics", id: order.id, values: await metricValues() });
}

type Collection = {
  readonly missing: Set<Worker>;
  readonly values: Map<Worker, MetricValues>;
  finish: () => void;
};

type WorkerMetrics = Readonly<{
  /**
   * Handles a report of a worker about metrics. When a worker requests the metrics of all processes, the function
   * collects the metrics of all workers and of the primary process.
   */
  receive: (worker: Worker, report: MetricsReport) => void;
  /**
   * Retains the last reported counters of a worker that has ended. Without these values, the sums would decrease, and
   * Prometheus would take the decrease for a restart of the server.
   */
  retain: (worker: Worker) => void;
}>;

/**
 * Returns the functions of the primary process that collect the metrics of workers.
 * @param running returns the connected workers.
 * @param reportedWithinMs the time within which a worker must report its metrics.
 */
export function metricsOfWorkers(
  running: () => readonly Worker[],
  reportedWithinMs = REPORTED_WITHIN_MS,
): WorkerMetrics {
  const collections = new Map<number, Collection>();
  /** The counters and histograms that each running worker reported last. */
  const lastCounters = new Map<Worker, MetricValues>();
  /** The sums of the counters and histograms of all workers that have ended. */
  let ended: Promise<MetricValues> = Promise.resolve([]);
  let last = 0;

  function collect(worker: Worker, requestId: number): void {
    const id = ++last;
    const finish = (): void => {
      clearTimeout(timer);
      collections.delete(id);
      const late = [...collection.missing].map((missing) => lastCounters.get(missing) ?? []);
      const ofWorkers = [...collection.values.values(), ...late];
      void Promise.all([ended, metricValues()]).then((others) => {
        const processes = [...ofWorkers, ...others].filter(({ length }) => length > 0);
        send(worker, { kind: "all_metrics", id: requestId, processes });
      });
    };
    const collection: Collection = { missing: new Set(running()), values: new Map(), finish };
    collections.set(id, collection);
    const timer = setTimeout(finish, reportedWithinMs);
    for (const asked of collection.missing) send(asked, { kind: "report_metrics", id });
  }

  function finishIfComplete(collection: Collection): void {
    if (collection.missing.size === 0) collection.finish();
  }

  return {
    receive: (worker, report) => {
      if (report.kind === "metrics_wanted") return collect(worker, report.id);
      lastCounters.set(worker, countersOf(report.values));
      const collection = collections.get(report.id);
      if (collection === undefined || !collection.missing.delete(worker)) return;
      collection.values.set(worker, report.values);
      finishIfComplete(collection);
    },
    retain: (worker) => {
      const counters = lastCounters.get(worker) ?? [];
      lastCounters.delete(worker);
      ended = ended.then((before) => addUpMetrics([before, counters]).catch(() => before));
      for (const collection of [...collections.values()]) {
        collection.values.delete(worker);
        if (collection.missing.delete(worker)) finishIfComplete(collection);
      }
    },
  };
}

const send = (worker: Worker, order: Order): void => {
  if (worker.isConnected()) worker.send(order, () => undefined);
};
