import { appendFileSync } from "node:fs";

/** One row of the table in docs/reliability.md: the measured behavior of the server during one fault. */
export type Observation = Readonly<{
  /** The name of the fault. The name of the fault and the database together identify the table row. */
  fault: string;
  database: "SQLite" | "PostgreSQL";
  /** The behavior that the test requires. */
  expected: string;
  /** The responses to clients during the fault. */
  responses: string;
  /** The readiness probe during the fault. */
  readiness: string;
  /** The warnings and errors in the log. */
  log: string;
  /** The recovery of the server after the end of the fault. */
  recovery: string;
}>;

/**
 * Adds a row to the results file of this run. `e2e/outages/run.mjs --write` writes the table in
 * docs/reliability.md from the results file.
 */
export function record(observation: Observation): void {
  const file = process.env["FAULTS_RECORD_FILE"];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(observation)}\n`);
}

export const milliseconds = (duration: number): string =>
  duration < 1_000 ? `${Math.round(duration)} ms` : `${(duration / 1_000).toFixed(1)} s`;
