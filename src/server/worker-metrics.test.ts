import type { Worker } from "node:cluster";
import { beforeEach, expect, it } from "vitest";
import {
  count,
  type MetricValues,
  metricsText,
  metricValues,
  observe,
  openMetrics,
} from "@/kernel/metrics/metrics.ts";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import type { Order } from "./worker-messages.ts";
import { metricsOfWorkers } from "./worker-metrics.ts";

const none = () => [];

beforeEach(async () => {
  resetProcessWide();
  await openMetrics({
    gatehouse_queue_running: none,
    gatehouse_queue_waiting: () => [{ labels: { queue: "git" }, value: 1 }],
    gatehouse_database_connections: none,
    gatehouse_database_waiting: none,
    gatehouse_workers: none,
    gatehouse_deliveries_waiting: none,
    gatehouse_disk_free_bytes: none,
    gatehouse_disk_size_bytes: none,
  });
});

const COUNTER = "gatehouse_error_events_received_total";

/** Starts workers that are only objects, and returns functions that request the metrics and end workers. */
async function startWorkers(number: number, reportedWithinMs = 50) {
  const values = await valuesOf(0);
  const running = new Map<Worker, MetricValues>();
  const responses: (readonly MetricValues[])[] = [];
  const metrics = metricsOfWorkers(() => [...running.keys()], reportedWithinMs);
  const silent = new Set<Worker>();
  const receive = (worker: Worker, order: Order): void => {
    if (order.kind === "all_metrics") responses.push(order.processes);
    if (order.kind === "report_metrics" && !silent.has(worker))
      metrics.receive(worker, { kind: "metrics", id: order.id, values: running.get(worker) ?? [] });
  };
  const start = (): Worker => {
    const worker = {
      isConnected: () => running.has(worker),
      send: (order: Order) => void queueMicrotask(() => receive(worker, order)),
    } as unknown as Worker;
    running.set(worker, values);
    return worker;
  };
  const workers = Array.from({ length: number }, start);
  return {
    workers,
    start,
    silent,
    end: (worker: Worker) => {
      running.delete(worker);
      metrics.retain(worker);
    },
    set: (worker: Worker, next: MetricValues) => running.set(worker, next),
    /** Returns a line of the metrics of all workers. */
    read: async (worker: Worker, line: RegExp): Promise<string> => {
      const before = responses.length;
      metrics.receive(worker, { kind: "metrics_wanted", id: 1 });
      await expect.poll(() => responses.length).toBeGreaterThan(before);
      return line.exec((await metricsText(responses.at(-1) ?? [])).text)?.[1] ?? "none";
    },
  };
}

/**
 * Counts a number of error events in this process, which is the primary process, and returns the metrics of this process
 * as the metrics of a worker.
 */
async function valuesOf(received: number): Promise<MetricValues> {
  count(COUNTER, {}, received);
  for (let index = 0; index < received; index++) observe("gatehouse_database_write_group_size", {}, 1);
  return structuredClone(await metricValues());
}

const RECEIVED = /^gatehouse_error_events_received_total (\d+)$/m;
const OBSERVED = /^gatehouse_database_write_group_size_count (\d+)$/m;
const WAITING = /^gatehouse_queue_waiting\{queue="git"\} (\d+)$/m;

it("counters and histograms do not decrease when a worker ends and is replaced", async () => {
  const { workers, start, end, set, read } = await startWorkers(2);
  const [first, second] = workers as [Worker, Worker];
  set(first, await valuesOf(7));
  const [received, observed] = [await read(second, RECEIVED), await read(second, OBSERVED)];
  expect([Number(received), Number(observed)]).toEqual([14, 14]);
  end(first);
  expect([await read(second, RECEIVED), await read(second, OBSERVED)]).toEqual([received, observed]);
  const third = start();
  end(second);
  expect([await read(third, RECEIVED), await read(third, OBSERVED)]).toEqual([received, observed]);
});

it("the gauges of an ended worker are missing from the sums", async () => {
  const { workers, end, read } = await startWorkers(2);
  const [first, second] = workers as [Worker, Worker];
  expect(await read(second, WAITING)).toBe("3");
  end(first);
  expect(await read(second, WAITING)).toBe("2");
});

it("a worker that reports too late is counted with its last reported counters", async () => {
  const { workers, silent, set, read } = await startWorkers(2);
  const [first, second] = workers as [Worker, Worker];
  set(first, await valuesOf(7));
  expect(await read(second, RECEIVED)).toBe("14");
  silent.add(first);
  expect(await read(second, RECEIVED)).toBe("14");
  expect(await read(second, WAITING)).toBe("2");
});

it("a worker that ends before it has reported does not delay the response", async () => {
  const { workers, silent, set, read, end } = await startWorkers(2, 60_000);
  const [first, second] = workers as [Worker, Worker];
  set(first, await valuesOf(7));
  expect(await read(second, RECEIVED)).toBe("14");
  silent.add(first);
  const reading = read(second, RECEIVED);
  await Promise.resolve();
  end(first);
  expect(await reading).toBe("14");
});

it("a worker that has reported and ends before the other workers have reported is counted once", async () => {
  const { workers, silent, set, read, end } = await startWorkers(3, 200);
  const [first, second, third] = workers as [Worker, Worker, Worker];
  set(first, await valuesOf(7));
  silent.add(third);
  const reading = read(second, RECEIVED);
  await new Promise((resolve) => setTimeout(resolve, 50));
  end(first);
  expect(await reading).toBe("14");
});
