import { flag } from "@/http-api/fields";
import type { Deprecation } from "@/http-api/versions";

/** What v4 has of users, and v5 has not. */
export const IDENTITY_DEPRECATIONS = {
  private_profile_null: {
    kind: "parameter",
    item: "`private_profile` null in the user API",
    instead: "Send true or false, or leave it out.",
    since: "0.1.0",
    parameter: "private_profile",
    beside: "private_profile",
    // Declared as v4 has it: null is the default of the instance.
    takes: { v5: flag.optional() },
    isUsed: ({ private_profile }) => private_profile === null,
    inV5: (sent) => sent,
  },
} as const satisfies Readonly<Record<string, Deprecation>>;
