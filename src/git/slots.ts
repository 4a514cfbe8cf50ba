/** As many packs at once as two cores and a few hundred megabytes can bear. */
const SLOTS = 12;

let taken = 0;

/**
 * Takes one of the places for Git processes of this server process.
 * @returns how to give it back, which may be called more than once; null when all are taken.
 */
export function takeSlot(): (() => void) | null {
  if (taken >= SLOTS) return null;
  taken += 1;
  let held = true;
  return () => {
    if (held) taken -= 1;
    held = false;
  };
}
