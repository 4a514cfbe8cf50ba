import { countingWindows } from "@/kernel/rate-limit/counting-windows";

/** The number of events of each client key in the current minute. */
const windows = countingWindows("error events", 60_000);

/**
 * Counts events toward the quota of a client key.
 * @param events the number of events; 0 only checks the quota.
 * @param most the maximum number of events per minute; 0 means unlimited.
 * @returns null if the events are within the quota; otherwise the number of seconds until the events of the
 * key are counted from 0 again.
 */
export function consumeQuota(keyId: number, events: number, most: number, now: Date): number | null {
  if (most === 0) return null;
  const window = windows.current(keyId, now);
  const isFull = events === 0 ? window.count >= most : window.count + events > most;
  if (isFull) return Math.max(1, Math.ceil((window.endsAt - now.getTime()) / 1000));
  window.count += events;
  return null;
}
