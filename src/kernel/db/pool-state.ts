import type pg from "pg";
import { processWide } from "../process/process-wide.ts";

/** The open connection pools of this process. This module does not load the PostgreSQL driver. */
export const openPostgresqlPools = processWide("postgresql-pools", () => new Set<pg.Pool>());

/**
 * Returns the numbers of idle connections and used connections of this process, and of callers that wait for a
 * connection.
 */
export function poolState(): Readonly<{ idle: number; used: number; waiting: number }> {
  const state = { idle: 0, used: 0, waiting: 0 };
  for (const { totalCount, idleCount, waitingCount } of openPostgresqlPools()) {
    state.idle += idleCount;
    state.used += totalCount - idleCount;
    state.waiting += waitingCount;
  }
  return state;
}
