import type { Aggregator } from "prom-client";

type Definition = Readonly<{
  help: string;
  labels: readonly string[];
  /** The upper limits of the buckets of a histogram; a metric without buckets is a counter. */
  buckets?: readonly number[];
  /**
   * The labels of the time series that exist with the value 0 from the start. The function `increase` of Prometheus
   * ignores the first value of a new time series, so an alert would miss the first event.
   */
  initial?: readonly Readonly<Record<string, string>>[];
}>;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The counters and histograms of Gatehouse. The names of metrics follow the naming convention of Prometheus.
 * The values of every label come from a fixed list, so that requests cannot create an unlimited number of
 * time series.
 */
export const METRICS = {
  gatehouse_http_request_duration_seconds: {
    help: "The duration of HTTP requests, from the selection of the route to the end of the response.",
    labels: ["route", "method", "status"],
    buckets: SECONDS,
  },
  gatehouse_tokens_issued_total: {
    help: "The successful responses of the token endpoint, by grant type.",
    labels: ["grant_type"],
  },
  gatehouse_tokens_refused_total: {
    help: "The refused requests of the token endpoint, by grant type and OAuth error code.",
    labels: ["grant_type", "error"],
  },
  gatehouse_audit_events_total: {
    help: "The recorded audit events, such as sign_in.succeeded.",
    labels: ["event"],
    initial: [{ event: "sign_in.failed" }, { event: "token.family_revoked" }],
  },
  gatehouse_webhook_requests_total: {
    help: "The requests that webhooks have sent, by outcome: success, failure or dropped.",
    labels: ["outcome"],
    initial: [{ outcome: "failure" }, { outcome: "dropped" }],
  },
  gatehouse_logout_tokens_total: {
    help: "The logout tokens that were sent to applications, by outcome: success or failure.",
    labels: ["outcome"],
  },
  gatehouse_rate_limited_total: {
    help: "The attempts that were refused because of a rate limit, by the name of the limit.",
    labels: ["limit"],
  },
  gatehouse_error_events_received_total: {
    help: "The error events that the collector received and did not drop.",
    labels: [],
  },
  gatehouse_error_events_dropped_total: {
    help: "The error events that the collector or an SDK dropped, by reason.",
    labels: ["reason"],
  },
  gatehouse_database_write_group_size: {
    help: "The number of writes that share one commit.",
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64],
  },
  gatehouse_database_write_wait_seconds: {
    help: "The time for which the oldest write of a commit waited in the queue before the commit began.",
    labels: [],
    buckets: SECONDS,
  },
  gatehouse_database_busy_retries_total: {
    help: "The number of times that a statement or a commit was repeated because another connection held the lock of SQLite.",
    labels: [],
  },
  gatehouse_job_duration_seconds: {
    help: "The duration of the runs of scheduled jobs.",
    labels: ["name"],
    buckets: [0.01, 0.1, 1, 10, 60],
  },
  gatehouse_worker_restarts_total: {
    help: "The number of worker processes that ended and were replaced.",
    labels: [],
  },
} as const satisfies Readonly<Record<string, Definition>>;

type Metrics = typeof METRICS;
export type MetricName = keyof Metrics;
export type HistogramName = {
  [Name in MetricName]: Metrics[Name] extends { buckets: unknown } ? Name : never;
}[MetricName];
export type CounterName = Exclude<MetricName, HistogramName>;

/** The value of each label of a metric. */
export type Labels<Name extends MetricName> = Readonly<Record<Metrics[Name]["labels"][number], string>>;

/** The gauges of Gatehouse. The values of the gauges are read when the metrics are requested. */
export const GAUGES = {
  gatehouse_queue_running: { help: "The operations that are running, by queue.", labels: ["queue"] },
  gatehouse_queue_waiting: {
    help: "The operations that are waiting, by queue.",
    labels: ["queue"],
  },
  gatehouse_database_connections: {
    help: "The open connections to PostgreSQL, by state.",
    labels: ["state"],
  },
  gatehouse_database_waiting: { help: "The callers that wait for a connection to PostgreSQL.", labels: [] },
  gatehouse_workers: {
    help: "The processes that serve requests, by state: configured, or ready to serve requests.",
    labels: ["state"],
  },
  gatehouse_deliveries_waiting: {
    help: "The messages in the database that wait to be sent, by kind: mail, webhook or logout_token.",
    labels: ["kind"],
  },
  gatehouse_disk_free_bytes: {
    help: "The free space of the disk of DATA_DIR (data), and of the SQLite file outside DATA_DIR (database).",
    labels: ["disk"],
  },
  gatehouse_disk_size_bytes: {
    help: "The size of the disk of DATA_DIR (data), and of the SQLite file outside DATA_DIR (database).",
    labels: ["disk"],
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type GaugeName = keyof typeof GAUGES;

/**
 * The aggregators of default metrics of `prom-client` whose own aggregator hides a single process with a problem:
 * - `prom-client` computes the mean of the event loop lag of all processes. The quantiles of several processes cannot
 *   be combined exactly; the maximum is an upper limit.
 * - `prom-client` adds up the open file descriptors and the limits of all processes, but each process has its own
 *   limit.
 */
export const AGGREGATORS: Readonly<Record<string, Aggregator>> = {
  nodejs_eventloop_lag_seconds: "max",
  nodejs_eventloop_lag_stddev_seconds: "max",
  nodejs_eventloop_lag_p50_seconds: "max",
  nodejs_eventloop_lag_p90_seconds: "max",
  nodejs_eventloop_lag_p99_seconds: "max",
  process_open_fds: "max",
  process_max_fds: "min",
};
