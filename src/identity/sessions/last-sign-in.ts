import type { Deps } from "@/kernel/deps/deps";
import { newestSessions } from "./store.sql";

/**
 * Returns the time at which each of these users last signed in, by user id. The returned map has no entry for
 * a user if all sessions of the user have ended and were pruned.
 */
export async function lastSignIns(
  deps: Deps,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const rows = await newestSessions(deps.reads, userIds);
  return new Map(rows.map(({ userId, createdAt }) => [userId, createdAt]));
}
