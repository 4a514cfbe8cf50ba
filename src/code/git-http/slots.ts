/** As many packs at once as two cores and a few hundred megabytes can bear. */
const SLOTS = 12;

/** Of these for all requests without credentials together, so that requests with credentials still get a slot. */
const ANONYMOUS_MAX = 8;

/** Of these for one user, or one IP address without credentials: half of them. */
const CALLER_MAX = 6;

/** The caller that a slot is for. The IP address counts only without credentials: an office shares one. */
export type SlotCaller = Readonly<{ userId: number | null; address: string }>;

/** A slot for one Git process. While its request stalls, it is parked, and another request can have it. */
export type Slot = Readonly<{
  /** @returns false where too many requests are parked: this one must end. */
  park: () => boolean;
  /** @returns false where no slot is left: this request must end. */
  resume: () => boolean;
  /** May be called more than once. */
  release: () => void;
}>;

type Counts = Map<string, number>;
type Limit = readonly [key: string, most: number];

/** Of this server process. */
const [running, parked]: readonly [Counts, Counts] = [new Map(), new Map()];

/** @returns null when none is left for this caller. */
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

function limitsFor({ userId, address }: SlotCaller): readonly Limit[] {
  const all: Limit = ["all", SLOTS];
  if (userId !== null) return [all, [`user ${userId}`, CALLER_MAX]];
  return [all, ["anonymous", ANONYMOUS_MAX], [`address ${address}`, CALLER_MAX]];
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
