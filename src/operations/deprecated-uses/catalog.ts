import { FLEET_DEPRECATIONS } from "@/fleet/api/versions";
import type { Deprecation } from "@/http-api/versions";
import { IDENTITY_DEPRECATIONS } from "@/identity/api/versions";
import { REVIEW_DEPRECATIONS } from "@/review/api/versions";

/**
 * All that v4 has and v5 has not: the sum of the rows of the areas. Entities and parameters are declared as v5 has
 * them, and a row gives v4 the rest; without rows there is no v4.
 */
export const DEPRECATIONS = {
  ...IDENTITY_DEPRECATIONS,
  ...FLEET_DEPRECATIONS,
  ...REVIEW_DEPRECATIONS,
} as const satisfies Readonly<Record<string, Deprecation>>;

export type DeprecationName = keyof typeof DEPRECATIONS;

const isDeprecationName = (name: string): name is DeprecationName => Object.hasOwn(DEPRECATIONS, name);

/** The row of a name that was stored; null once the row is gone. */
export const findDeprecation = (name: string): Deprecation | null =>
  isDeprecationName(name) ? DEPRECATIONS[name] : null;
