const MINUTE_MS = 60_000;

/** Only keys that exist are counted, so this is reached by nobody; it bounds the memory all the same. */
const KEYS_MAX = 100_000;

type Window = { endsAt: number; count: number };

/**
 * How many events each key has reported in its minute. In the memory of this process: a count that all processes share
 * would cost a write for every event, and what it guards is this process.
 */
const windows = new Map<number, Window>();

/**
 * Counts events against a key's quota.
 * @param events none, to ask only.
 * @param most in a minute; 0 for any number.
 * @returns null when they may be taken, else the seconds after which it is worth trying again.
 */
export function takeQuota(keyId: number, events: number, most: number, now: Date): number | null {
  if (most === 0) return null;
  const at = now.getTime();
  const window = currentWindow(keyId, at);
  const isFull = events === 0 ? window.count >= most : window.count + events > most;
  if (isFull) return Math.max(1, Math.ceil((window.endsAt - at) / 1000));
  window.count += events;
  return null;
}

function currentWindow(keyId: number, at: number): Window {
  const known = windows.get(keyId);
  // A clock that was set back must not keep a window open.
  if (known !== undefined && at < known.endsAt && known.endsAt - at <= MINUTE_MS) return known;
  if (windows.size >= KEYS_MAX) windows.clear();
  const window = { endsAt: at + MINUTE_MS, count: 0 };
  windows.set(keyId, window);
  return window;
}
