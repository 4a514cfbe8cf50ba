import { FLEET_DEPRECATIONS } from "@/fleet/api/versions";
import type { Deprecation } from "@/http-api/versions";
import { IDENTITY_DEPRECATIONS } from "@/identity/api/versions";
import { REVIEW_DEPRECATIONS } from "@/review/api/versions";

/**
 * All differences between v4 and v5 of the API, collected from the version tables of all modules. The types
 * of entities and parameters are declared for v5, and each row describes a difference in v4.
 */
export const DEPRECATIONS = {
  ...IDENTITY_DEPRECATIONS,
  ...FLEET_DEPRECATIONS,
  ...REVIEW_DEPRECATIONS,
} as const satisfies Readonly<Record<string, Deprecation>>;

export type DeprecationName = keyof typeof DEPRECATIONS;

const isDeprecationName = (name: string): name is DeprecationName => Object.hasOwn(DEPRECATIONS, name);

/**
 * Returns the row of the version tables with the given name; null if the row was removed after the name was
 * stored.
 */
export const findDeprecation = (name: string): Deprecation | null =>
  isDeprecationName(name) ? DEPRECATIONS[name] : null;
