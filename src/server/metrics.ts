import type { MetricsConfig } from "@/kernel/config/config.ts";
import { digest, matches } from "@/kernel/crypto/token.ts";
import { poolState } from "@/kernel/db/pool-state.ts";
import { systemDeps } from "@/kernel/deps/deps.ts";
import { clientIpOf, isInRanges } from "@/kernel/http/ip-address.ts";
import { plainText } from "@/kernel/http/plain-text.ts";
import { metricsText, openMetrics } from "@/kernel/metrics/metrics.ts";
import { semaphoreStates } from "@/kernel/process/semaphore.ts";
import { currentWorker } from "@/kernel/process/worker.ts";
import { QUEUES } from "./compose.ts";
import { deliveriesGauge, diskGauge } from "./instance-gauges.ts";
import { metricsOfAllProcesses } from "./worker-metrics.ts";

/** The configured number of processes that serve requests, and the number of these processes that are ready. */
export type WorkerCounts = Readonly<{ configured: number; ready: number }>;

/**
 * Begins to collect the metrics of this process.
 * @param workers returns the numbers of workers. In a server without workers, the only process serves the requests.
 */
export const collectMetrics = (workers = (): WorkerCounts => ({ configured: 1, ready: 1 })): Promise<void> =>
  openMetrics({
    gatehouse_queue_running: () =>
      queues().map(({ name, running }) => ({ labels: { queue: name }, value: running })),
    gatehouse_queue_waiting: () =>
      queues().map(({ name, waiting }) => ({ labels: { queue: name }, value: waiting })),
    gatehouse_database_connections: () => {
      const { idle, used } = poolState();
      return [
        { labels: { state: "idle" }, value: idle },
        { labels: { state: "used" }, value: used },
      ];
    },
    gatehouse_database_waiting: () => [{ labels: {}, value: poolState().waiting }],
    gatehouse_workers: () =>
      currentWorker() === null
        ? Object.entries(workers()).map(([state, value]) => ({ labels: { state }, value }))
        : [],
    gatehouse_deliveries_waiting: deliveriesGauge(),
    gatehouse_disk_free_bytes: diskGauge("freeBytes"),
    gatehouse_disk_size_bytes: diskGauge("totalBytes"),
  });

const queues = () => [...semaphoreStates(), ...QUEUES.map(({ name, state }) => ({ name, ...state() }))];

const NO_STORE = { "cache-control": "no-store" };

/**
 * `GET /-/metrics` responds with the metrics of all processes of this server in the text format of
 * Prometheus. If neither METRICS_TOKEN nor METRICS_ALLOW is set, the URL does not exist.
 */
export async function getMetrics(request: Request): Promise<Response> {
  const { metrics } = systemDeps().config;
  if (metrics === null) return plainText(404, "The metrics of this instance are disabled.");
  if (!mayRead(request, metrics))
    return metrics.token === null
      ? plainText(403, "METRICS_ALLOW does not contain the IP address of this request.")
      : plainText(401, "The metrics require the token in METRICS_TOKEN.", {
          "www-authenticate": 'Bearer realm="Metrics"',
        });
  const { contentType, text } = await metricsText(await metricsOfAllProcesses());
  return new Response(text, { headers: { "content-type": contentType, ...NO_STORE } });
}

function mayRead(request: Request, { token, allowed }: MetricsConfig): boolean {
  if (allowed !== null && isInRanges(allowed, clientIpOf(request))) return true;
  const [, presented] = /^bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return token !== null && presented !== undefined && matches(presented.trim(), digest(token));
}
