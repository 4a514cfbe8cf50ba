import type { Capability } from "../../scripts/test-skips.mjs";

declare module "vitest" {
  interface TaskMeta {
    /** The capability that the machine lacks for a skipped test; `npm test` reads it. */
    missing?: Capability;
  }
}

/**
 * Options of a test, or of a group of tests, that needs capabilities of the machine and is skipped without them.
 * @param here whether the machine has each needed capability.
 */
export function needs(here: Partial<Readonly<Record<Capability, boolean>>>): {
  skip: boolean;
  meta: { missing?: Capability };
} {
  const names = Object.keys(here) as Capability[];
  const missing = names.find((name) => here[name] === false);
  return missing === undefined ? { skip: false, meta: {} } : { skip: true, meta: { missing } };
}
