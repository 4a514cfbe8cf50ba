import type { StartStage } from "./first-start.ts";

/** Sent by the primary process to a worker. */
export type Order =
  /** The stage that the start of the primary process has reached. */
  | Readonly<{ kind: "stage"; stage: StartStage }>
  /** The database is migrated: the worker opens it and serves requests. */
  | Readonly<{ kind: "open" }>
  /** Every worker has started at least once. */
  | Readonly<{ kind: "all_started" }>;

/** Sent by a worker to the primary process. */
export type Report =
  /** The worker receives orders from now on. */
  | Readonly<{ kind: "waiting" }>
  | Readonly<{ kind: "listening" }>
  | Readonly<{ kind: "started" }>
  /** The worker ends; `message` is a sentence for the terminal. */
  | Readonly<{ kind: "failed"; message: string }>;
