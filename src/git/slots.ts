/** As many packs at once as two cores and a few hundred megabytes can bear. */
const SLOTS = 12;

/** Of these for everybody without credentials together: whoever shows some still finds a place. */
const ANONYMOUS_MAX = 8;

/** And for one person, or one address without credentials. */
const CALLER_MAX = 6;

/** Who wants a place. The address counts for those without credentials alone: an office shares one. */
export type SlotCaller = Readonly<{ userId: number | null; address: string }>;

const taken = new Map<string, number>();
const TOTAL = "all";
const ANONYMOUS = "anonymous";

/**
 * Takes one of the places for Git processes of this server process.
 * @returns how to give it back, which may be called more than once; null when none is left for this caller.
 */
export function takeSlot({ userId, address }: SlotCaller): (() => void) | null {
  const counts: readonly (readonly [key: string, most: number])[] = [
    [TOTAL, SLOTS],
    ...(userId === null
      ? ([
          [ANONYMOUS, ANONYMOUS_MAX],
          [`address ${address}`, CALLER_MAX],
        ] as const)
      : ([[`user ${userId}`, CALLER_MAX]] as const)),
  ];
  if (counts.some(([key, most]) => (taken.get(key) ?? 0) >= most)) return null;
  for (const [key] of counts) count(key, 1);
  let held = true;
  return () => {
    if (held) for (const [key] of counts) count(key, -1);
    held = false;
  };
}

function count(key: string, by: 1 | -1): void {
  const now = (taken.get(key) ?? 0) + by;
  if (now === 0) taken.delete(key);
  else taken.set(key, now);
}
