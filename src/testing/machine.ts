import type { Capability } from "../../scripts/test-skips.mjs";

declare module "vitest" {
  interface TaskMeta {
    /**
     * The name of the missing capability because of which a test is skipped. The command `npm test` reports
     * the name of the missing capability.
     */
    missing?: Capability;
  }
}

/**
 * Returns the options of a test or of a group of tests that requires capabilities of the machine. On a
 * machine without the required capabilities, the tests are skipped.
 * @param here for each required capability, whether the capability is available on the machine.
 */
export function needs(here: Partial<Readonly<Record<Capability, boolean>>>): {
  skip: boolean;
  meta: { missing?: Capability };
} {
  const names = Object.keys(here) as Capability[];
  const missing = names.find((name) => here[name] === false);
  return missing === undefined ? { skip: false, meta: {} } : { skip: true, meta: { missing } };
}
