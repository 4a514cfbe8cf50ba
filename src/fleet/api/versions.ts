import { z } from "zod";
import { invalidParameters } from "@/http-api/errors";
import { flag } from "@/http-api/fields";
import type { Deprecation } from "@/http-api/versions";

const RUNNERS = ["runner", "runner_details"];
const CONTACT = ["online", "offline", "not_connected"] as const;

/**
 * The deprecated fields, parameters and endpoints for Geo sites and runners, which exist in v4 but not in v5.
 */
export const FLEET_DEPRECATIONS = {
  geo_nodes: {
    kind: "endpoint",
    item: "`geo_nodes` endpoints",
    instead: "Use `geo_sites`, which has the same functions.",
    since: "0.1.0",
    path: /^\/geo_nodes(?=\/|$)/,
    successor: "/geo_sites",
  },
  runner_active: {
    kind: "field",
    item: "runner field `active`",
    instead: "Read `paused`, which has the opposite value.",
    since: "0.1.0",
    entities: RUNNERS,
    field: "active",
    schema: z.boolean(),
    from: ({ paused }) => paused !== true,
  },
  runner_active_sent: {
    kind: "parameter",
    item: "runner parameter `active`",
    instead: "Send `paused`, which has the opposite value.",
    since: "0.1.0",
    parameter: "active",
    beside: "paused",
    // The response to the creation or registration of a runner contains only the id and the token of the runner.
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
    item: "value `paused` of the runner field `status`",
    instead: "Read `paused`; `status` is `online`, `offline` or `not_connected`.",
    since: "0.1.0",
    entities: RUNNERS,
    field: "status",
    schema: z.enum([...CONTACT, "paused"]),
    from: ({ paused, status }) => (paused === true ? "paused" : status),
  },
  runner_status_sent: {
    kind: "parameter",
    item: "values `active` and `paused` of the runner filter `status`",
    instead: "Filter by `paused`.",
    since: "0.1.0",
    parameter: "status",
    beside: "status",
    entities: RUNNERS,
    takes: { v4: z.enum([...CONTACT, "active", "paused"]).optional() },
    isUsed: ({ status }) => status === "active" || status === "paused",
    inV5: ({ status, ...sent }) => {
      const paused = status === "paused";
      const { paused: pausedSent = paused } = sent;
      if (pausedSent !== paused) throw invalidParameters(["status, paused are mutually exclusive"]);
      return { ...sent, paused };
    },
  },
  runner_ip_address: {
    kind: "field",
    item: "runner field `ip_address`",
    instead: "The field is always empty and has no replacement.",
    since: "0.1.0",
    entities: RUNNERS,
    field: "ip_address",
    schema: z.literal(""),
    from: () => "",
  },
} as const satisfies Readonly<Record<string, Deprecation>>;
