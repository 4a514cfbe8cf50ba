import cluster, { type Worker } from "node:cluster";
import { type MetricValues, metricValues } from "@/kernel/metrics/metrics.ts";
import { processWide } from "@/kernel/process/process-wide.ts";
import type { Order, Report } from "./worker-messages.ts";

/**
 * The time within which a process must report its metrics. The metrics of slower processes are missing from
 * the response.
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

type Collection = { readonly missing: Set<Worker>; readonly values: MetricValues[]; finish: () => void };

/**
 * Returns a function of the primary process that handles the reports of workers about metrics. When a worker
 * requests the metrics of all processes, the function collects the metrics of all workers and of the primary
 * process.
 * @param running returns the connected workers.
 */
export function metricsOfWorkers(
  running: () => readonly Worker[],
): (worker: Worker, report: MetricsReport) => void {
  const collections = new Map<number, Collection>();
  let last = 0;

  function collect(worker: Worker, requestId: number): void {
    const id = ++last;
    const finish = (): void => {
      clearTimeout(timer);
      collections.delete(id);
      void metricValues().then((own) => {
        const processes = [...collection.values, own].filter(({ length }) => length > 0);
        send(worker, { kind: "all_metrics", id: requestId, processes });
      });
    };
    const collection: Collection = { missing: new Set(running()), values: [], finish };
    collections.set(id, collection);
    const timer = setTimeout(finish, REPORTED_WITHIN_MS);
    for (const asked of collection.missing) send(asked, { kind: "report_metrics", id });
  }

  return (worker, report) => {
    if (report.kind === "metrics_wanted") return collect(worker, report.id);
    const collection = collections.get(report.id);
    if (collection === undefined || !collection.missing.delete(worker)) return;
    collection.values.push(report.values);
    if (collection.missing.size === 0) collection.finish();
  };
}

const send = (worker: Worker, order: Order): void => {
  if (worker.isConnected()) worker.send(order, () => undefined);
};
