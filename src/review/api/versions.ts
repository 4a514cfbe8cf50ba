import { z } from "zod";
import type { AddedField, Deprecation } from "@/http-api/versions";
import type { Mergeability } from "@/review/merge-requests/rules";

const MERGE_REQUESTS = ["merge_request", "merge_request_details", "merge_request_changes"];
/**
 * `merge_status` depends only on Git. `detailed_merge_status` also depends on other conditions, such as
 * drafts and missing approvals.
 */
const MERGE_STATUSES = {
  unchecked: "unchecked",
  clean: "can_be_merged",
  conflict: "cannot_be_merged",
  empty: "cannot_be_merged",
  missing: "cannot_be_merged",
} as const satisfies Record<Mergeability, string>;
/**
 * Returns the mergeability of the merge request in a response entity. The response entity is a merge request,
 * or contains a merge request.
 */
function mergeabilityIn(entity: unknown): Mergeability {
  const { mergeRequest = entity } = entity as Readonly<{ mergeRequest?: unknown }>;
  return (mergeRequest as Readonly<{ mergeability: Mergeability }>).mergeability;
}

/** Returns a field of the approval settings that is an empty list in v4 and absent in v5. */
const emptyApprovers = (field: string): AddedField => ({
  kind: "field",
  item: `\`${field}\` in the approval configuration`,
  instead: "Use the approval rules of the project.",
  since: "0.1.0",
  entities: ["approval_configuration"],
  field,
  schema: z.array(z.string()).max(0),
  from: () => [],
});

/** The fields and endpoints for merge requests, approvals and licenses that exist in v4 but not in v5. */
export const REVIEW_DEPRECATIONS = {
  merge_request_merged_by: {
    kind: "field",
    item: "merge request field `merged_by`",
    instead: "Read `merge_user`, which is the user who merged the merge request or enabled auto-merge.",
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
    from: ({ state }, entity) =>
      // The field `merge_status` of a merged merge request is always `can_be_merged`, even if the branches
      // change after the merge.
      state === "merged" ? "can_be_merged" : MERGE_STATUSES[mergeabilityIn(entity)],
  },
  merge_request_changes: {
    kind: "endpoint",
    item: "changes of a merge request",
    instead: "List the diffs of the merge request.",
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
} as const satisfies Readonly<Record<string, Deprecation>>;
