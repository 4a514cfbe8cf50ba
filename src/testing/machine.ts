import type { Capability } from "../../scripts/test-skips.mjs";

declare module "vitest" {
  interface TaskMeta {
    /** What the machine lacks for a test that is skipped; `npm test` reads it. */
    missing?: Capability;
  }
}

/**
 * Options of a test, or of a group of tests, that needs something of the machine: it is skipped where that is absent.
 * @param here whether each thing that it needs is there.
 */
export function needs(here: Partial<Readonly<Record<Capability, boolean>>>): {
  skip: boolean;
  meta: { missing?: Capability };
} {
  const names = Object.keys(here) as Capability[];
  const missing = names.find((name) => here[name] === false);
  return missing === undefined ? { skip: false, meta: {} } : { skip: true, meta: { missing } };
}
