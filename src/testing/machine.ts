import type { Capability } from "../../scripts/test-skips.mjs";

declare module "vitest" {
  interface TaskMeta {
    /** The capability whose absence skips a test; `npm test` reports it. */
    missing?: Capability;
  }
}

/**
 * Returns the options of a test, or of a group of tests, that requires capabilities of the machine and is
 * skipped without them.
 * @param here whether the machine has each required capability.
 */
export function needs(here: Partial<Readonly<Record<Capability, boolean>>>): {
  skip: boolean;
  meta: { missing?: Capability };
} {
  const names = Object.keys(here) as Capability[];
  const missing = names.find((name) => here[name] === false);
  return missing === undefined ? { skip: false, meta: {} } : { skip: true, meta: { missing } };
}
