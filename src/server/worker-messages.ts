import type { MetricValues } from "@/kernel/metrics/metrics.ts";
import type { StartStage } from "@/operations/health/readiness.ts";

/** A message from the primary process to a worker. */
export type Order =
  /** The current stage of the start of the primary process. */
  | Readonly<{ kind: "stage"; stage: StartStage }>
  /** The database is migrated: the worker opens the database and serves requests. */
  | Readonly<{ kind: "open" }>
  /** Every worker has started at least once. */
  | Readonly<{ kind: "all_started" }>
  /** Requests the metrics of the worker; the reply has the same id as this message. */
  | Readonly<{ kind: "report_metrics"; id: number }>
  /** The metrics of all processes, which the worker has requested with the same id. */
  | Readonly<{ kind: "all_metrics"; id: number; processes: readonly MetricValues[] }>;

/** A message from a worker to the primary process. */
export type Report =
  /** The worker is ready to receive orders from the primary process. */
  | Readonly<{ kind: "waiting" }>
  | Readonly<{ kind: "listening" }>
  | Readonly<{ kind: "started" }>
  /** The worker is about to end; `message` is a sentence for the terminal. */
  | Readonly<{ kind: "failed"; message: string }>
  /** The worker requests the metrics of all processes of the server. */
  | Readonly<{ kind: "metrics_wanted"; id: number }>
  | Readonly<{ kind: "metrics"; id: number; values: MetricValues }>;
