import { z } from "zod";
import type { Mergeability } from "@/review/merge-requests/rules";
import { invalidParameters } from "./errors";
import { flag } from "./fields";

/** The versions of the API that this server speaks, by the beginning of the path. */
export type ApiVersion = "v4" | "v5";

/**
 * The version that a request asks for: a rewrite serves v5 from the same route files, and keeps the address. Next takes
 * it in small and in capital letters.
 */
export const versionOf = (pathname: string): ApiVersion => (/^\/api\/v5\//i.test(pathname) ? "v5" : "v4");

/** Releases of the product, by their day: `Deprecation` names that of the one that first carried a row. */
export const RELEASES = { "0.1.0": "2026-11-21" } as const;

export type Answer = Readonly<Record<string, unknown>>;
export type Sent = Readonly<Record<string, unknown>>;

type About = Readonly<{
  /** What goes away, as the specification says it. */
  item: string;
  /** What a client does instead. */
  instead: string;
  since: keyof typeof RELEASES;
}>;

/** Endpoints that only v4 has. */
export type GoneEndpoint = About &
  Readonly<{
    kind: "endpoint";
    /** Of the path below the version. */
    path: RegExp;
    /** What takes the place of the matched part in the address of the replacement. */
    successor: string;
  }>;

/** A parameter that v4 takes, or takes in a wider sense. */
export type NarrowedParameter = About &
  Readonly<{
    kind: "parameter";
    parameter: string;
    /** Where an endpoint has this parameter, or would have. */
    beside: string;
    /** What comes back there. */
    entities?: readonly string[];
    /** What each version takes, where it is not what the route file declares. */
    takes: Partial<Readonly<Record<ApiVersion, z.ZodType>>>;
    /** Whether a request used what v5 has not. */
    isUsed: (sent: Sent) => boolean;
    /** The same wish in words of v5, where it has some. Raises an ApiError 400 for a contradiction. */
    inV5: (sent: Sent) => Sent;
  }>;

/** A field that v4 adds to the answer of v5, or fills otherwise. */
export type AddedField = About &
  Readonly<{
    kind: "field";
    entities: readonly string[];
    field: string;
    schema: z.ZodType;
    /** Its value, from the answer of v5, and from what that was made of where it does not tell. */
    from: (answer: Answer, thing: unknown) => unknown;
  }>;

export type Deprecation = GoneEndpoint | NarrowedParameter | AddedField;

const MERGE_REQUESTS = ["merge_request", "merge_request_details", "merge_request_changes"];
/** Git's word alone: drafts and missing approvals are a matter of `detailed_merge_status`. */
const MERGE_STATUSES = {
  unchecked: "unchecked",
  clean: "can_be_merged",
  conflict: "cannot_be_merged",
  empty: "cannot_be_merged",
  missing: "cannot_be_merged",
} as const satisfies Record<Mergeability, string>;
/** Of a merge request, or of the one that something is shown beside. */
function mergeabilityIn(thing: unknown): Mergeability {
  const { one = thing } = thing as Readonly<{ one?: unknown }>;
  return (one as Readonly<{ mergeability: Mergeability }>).mergeability;
}

const RUNNERS = ["runner", "runner_details"];
const CONTACT = ["online", "offline", "not_connected"] as const;

/** Lists of the approval configuration that have been empty for long. */
const emptyApprovers = (field: string): AddedField => ({
  kind: "field",
  item: `\`${field}\` in the approval configuration`,
  instead: "Use the project's approval rules.",
  since: "0.1.0",
  entities: ["approval_configuration"],
  field,
  schema: z.array(z.string()).max(0),
  from: () => [],
});

/**
 * What v4 has and v5 has not: the only place that knows. Entities and parameters are declared as v5 has them, and a
 * row here gives v4 the rest; without this table there is no v4.
 */
const TABLE = {
  geo_nodes: {
    kind: "endpoint",
    item: "`geo_nodes` endpoints",
    instead: "Use `geo_sites`, which does the same.",
    since: "0.1.0",
    path: /^\/geo_nodes(?=\/|$)/,
    successor: "/geo_sites",
  },
  merge_request_merged_by: {
    kind: "field",
    item: "merge request field `merged_by`",
    instead: "Read `merge_user`: who merged, or who set it to merge by itself.",
    since: "0.1.0",
    entities: MERGE_REQUESTS,
    field: "merged_by",
    schema: z.unknown(),
    from: ({ state, merge_user }) => (state === "merged" ? merge_user : null),
  },
  merge_request_merge_status: {
    kind: "field",
    item: "merge request field `merge_status`",
    instead: "Read `detailed_merge_status`.",
    since: "0.1.0",
    entities: [...MERGE_REQUESTS, "merge_request_approvals"],
    field: "merge_status",
    schema: z.enum(["unchecked", "can_be_merged", "cannot_be_merged"]),
    from: ({ state }, thing) =>
      // It was, whatever its branches became.
      state === "merged" ? "can_be_merged" : MERGE_STATUSES[mergeabilityIn(thing)],
  },
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
  merge_request_changes: {
    kind: "endpoint",
    item: "endpoint for the changes of a single merge request",
    instead: "Use the list of the merge request's diffs.",
    since: "0.1.0",
    path: /^(\/projects\/[^/]+\/merge_requests\/[^/]+)\/changes$/,
    successor: "$1/diffs",
  },
  managed_licenses: {
    kind: "endpoint",
    item: "managed licenses of a project",
    instead: "Use License Approval policies.",
    since: "0.1.0",
    path: /^(\/projects\/[^/]+)\/managed_licenses(?:\/[^/]+)?$/,
    successor: "$1/license_approval_policies",
  },
  approvers: emptyApprovers("approvers"),
  approver_groups: emptyApprovers("approver_groups"),
  approval_groups: emptyApprovers("approval_groups"),
  runner_active: {
    kind: "field",
    item: "runner property `active`",
    instead: "Read `paused`, its opposite.",
    since: "0.1.0",
    entities: RUNNERS,
    field: "active",
    schema: z.boolean(),
    from: ({ paused }) => paused !== true,
  },
  runner_active_sent: {
    kind: "parameter",
    item: "runner parameter `active`",
    instead: "Send `paused`, its opposite.",
    since: "0.1.0",
    parameter: "active",
    beside: "paused",
    // A runner that was just made comes back as its token.
    entities: [...RUNNERS, "registered_runner"],
    takes: { v4: flag.optional().describe("The opposite of `paused`.") },
    isUsed: ({ active }) => active !== undefined,
    inV5: ({ active, ...sent }) => {
      if (sent["paused"] !== undefined) throw invalidParameters(["active, paused are mutually exclusive"]);
      return { ...sent, paused: active !== true };
    },
  },
  runner_status: {
    kind: "field",
    item: "runner `status` `paused`",
    instead: "Read `paused`; `status` is `online`, `offline` or `not_connected`.",
    since: "0.1.0",
    entities: RUNNERS,
    field: "status",
    schema: z.enum([...CONTACT, "paused"]),
    from: ({ paused, status }) => (paused === true ? "paused" : status),
  },
  runner_status_sent: {
    kind: "parameter",
    item: "runner filter `status` by `active` and `paused`",
    instead: "Filter by `paused`.",
    since: "0.1.0",
    parameter: "status",
    beside: "status",
    entities: RUNNERS,
    takes: { v4: z.enum([...CONTACT, "active", "paused"]).optional() },
    isUsed: ({ status }) => status === "active" || status === "paused",
    inV5: ({ status, ...sent }) => {
      const paused = status === "paused";
      const { paused: said = paused } = sent;
      if (said !== paused) throw invalidParameters(["status, paused are mutually exclusive"]);
      return { ...sent, paused };
    },
  },
  runner_ip_address: {
    kind: "field",
    item: "runner `ip_address`",
    instead: "It has been empty for long; nothing replaces it.",
    since: "0.1.0",
    entities: RUNNERS,
    field: "ip_address",
    schema: z.literal(""),
    from: () => "",
  },
} as const satisfies Readonly<Record<string, Deprecation>>;

/** The rows by their names, in the order of the specification. */
export const DEPRECATIONS: Readonly<Record<string, Deprecation>> = TABLE;
export type DeprecationName = string;
