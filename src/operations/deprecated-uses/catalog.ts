import { FLEET_DEPRECATIONS } from "@/fleet/api/versions";
import type { Deprecation } from "@/http-api/versions";
import { IDENTITY_DEPRECATIONS } from "@/identity/api/versions";
import { REVIEW_DEPRECATIONS } from "@/review/api/versions";

/**
 * All differences between v4 and v5: the sum of the tables of the areas. Entities and parameters are
 * declared as v5 has them, and each row adds something for v4.
 */
export const DEPRECATIONS = {
  ...IDENTITY_DEPRECATIONS,
  ...FLEET_DEPRECATIONS,
  ...REVIEW_DEPRECATIONS,
} as const satisfies Readonly<Record<string, Deprecation>>;

export type DeprecationName = keyof typeof DEPRECATIONS;

const isDeprecationName = (name: string): name is DeprecationName => Object.hasOwn(DEPRECATIONS, name);

/** Returns the row of a stored name; null when the row was removed. */
export const findDeprecation = (name: string): Deprecation | null =>
  isDeprecationName(name) ? DEPRECATIONS[name] : null;
