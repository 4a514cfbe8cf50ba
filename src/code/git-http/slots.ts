/**
 * The maximum number of Git processes that run simultaneously, chosen for a machine with two cores on which
 * Git may use a few hundred megabytes of memory.
 */
const SLOTS = 12;

/**
 * The maximum number of slots for all requests without credentials. The remaining slots stay available for
 * authenticated requests.
 */
const ANONYMOUS_MAX = 8;

/** The maximum number of slots for one user, or for one IP address without credentials. */
const CALLER_MAX = 6;

/**
 * The caller to which a slot is granted: a user, or an IP address for requests without credentials. Users are
 * not identified by their IP address, because many users may share one IP address.
 */
export type SlotCaller = Readonly<{ userId: number | null; ipAddress: string }>;

/**
 * A slot for one Git process. A stalled request releases the slot temporarily, and must obtain a slot again
 * before it resumes.
 */
export type Slot = Readonly<{
  /**
   * Releases the slot temporarily, so that another request can use the slot.
   * @returns false if too many stalled requests have already released their slots. If the result is false,
   * the caller must end the Git request.
   */
  park: () => boolean;
  /**
   * Obtains a slot for a request that has released its slot temporarily.
   * @returns false if no slot is free. If the result is false, the caller must end the Git request.
   */
  resume: () => boolean;
  /** Releases the slot permanently. Further calls of this function do nothing. */
  release: () => void;
}>;

type Counts = Map<string, number>;
type Limit = readonly [key: string, most: number];

/**
 * The number of slots in use in this server process, and the number of slots that stalled requests have
 * released temporarily.
 */
const [running, parked]: readonly [Counts, Counts] = [new Map(), new Map()];

/** Obtains a slot for a Git process. @returns null if no slot is free for this caller. */
export function takeSlot(caller: SlotCaller): Slot | null {
  const limits = limitsFor(caller);
  if (!enter(running, limits)) return null;
  let current: Counts | null = running;
  const moveTo = (next: Counts): boolean => {
    if (current === null || current === next) return current !== null;
    if (!enter(next, limits)) return false;
    leave(current, limits);
    current = next;
    return true;
  };
  return {
    park: () => moveTo(parked),
    resume: () => moveTo(running),
    release: () => {
      if (current !== null) leave(current, limits);
      current = null;
    },
  };
}

function limitsFor({ userId, ipAddress }: SlotCaller): readonly Limit[] {
  const all: Limit = ["all", SLOTS];
  if (userId !== null) return [all, [`user ${userId}`, CALLER_MAX]];
  return [all, ["anonymous", ANONYMOUS_MAX], [`ipAddress ${ipAddress}`, CALLER_MAX]];
}

function enter(counts: Counts, limits: readonly Limit[]): boolean {
  if (limits.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return false;
  for (const [key] of limits) counts.set(key, (counts.get(key) ?? 0) + 1);
  return true;
}

function leave(counts: Counts, limits: readonly Limit[]): void {
  for (const [key] of limits) {
    const left = (counts.get(key) ?? 0) - 1;
    if (left <= 0) counts.delete(key);
    else counts.set(key, left);
  }
}
