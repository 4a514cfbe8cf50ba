import { flag } from "@/http-api/fields";
import type { Deprecation } from "@/http-api/versions";

/** The deprecated parts of the users API, which exist in API v4 and are missing from v5. */
export const IDENTITY_DEPRECATIONS = {
  private_profile_null: {
    kind: "parameter",
    item: "value `null` of `private_profile` in the user API",
    instead: "Send `true` or `false`, or omit the parameter.",
    since: "0.1.0",
    parameter: "private_profile",
    beside: "private_profile",
    // The parameter `private_profile` of API v4, in which null means the default of the instance.
    takes: { v5: flag.optional() },
    isUsed: ({ private_profile }) => private_profile === null,
    inV5: (input) => input,
  },
} as const satisfies Readonly<Record<string, Deprecation>>;
