import { countingWindows } from "@/kernel/rate-limit/counting-windows";

/** How many events each key has reported in its minute. */
const windows = countingWindows("error events", 60_000);

/**
 * Counts events against a key's quota.
 * @param events none, to ask only.
 * @param most in a minute; 0 for any number.
 * @returns null when they may be taken, else the seconds after which it is worth trying again.
 */
export function consumeQuota(keyId: number, events: number, most: number, now: Date): number | null {
  if (most === 0) return null;
  const window = windows.current(keyId, now);
  const isFull = events === 0 ? window.count >= most : window.count + events > most;
  if (isFull) return Math.max(1, Math.ceil((window.endsAt - now.getTime()) / 1000));
  window.count += events;
  return null;
}
