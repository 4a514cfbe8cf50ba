import type { AuditEvents } from "@/instance/audit/catalog";
import { type EventLabels, listed } from "./event-label";

/** The descriptions of the audit events of repositories, merge requests and license policies. */
export const CODE_EVENTS: EventLabels<
  "approval_rule" | "protected_branch" | "repository" | "merge_request" | "managed_license" | "license_policy"
> = {
  "approval_rule.created": {
    label: "Approval rule created",
    sentence: ({ path, name, approvalsRequired }) =>
      `created the approval rule ${name} of ${path}, for ${approvalsRequired}`,
  },
  "approval_rule.changed": {
    label: "Approval rule changed",
    sentence: ({ path, name, approvalsRequired }) =>
      `changed the approval rule ${name} of ${path}, for ${approvalsRequired}`,
  },
  "approval_rule.removed": {
    label: "Approval rule removed",
    sentence: ({ path, name }) => `removed the approval rule ${name} of ${path}`,
  },
  "protected_branch.created": {
    label: "Branch protected",
    sentence: ({ path, name, ...rule }) => `protected the branch ${name} of ${path}: ${protection(rule)}`,
  },
  "protected_branch.changed": {
    label: "Branch protection changed",
    sentence: ({ path, name, ...rule }) =>
      `changed the protection of the branch ${name} of ${path}: ${protection(rule)}`,
  },
  "protected_branch.removed": {
    label: "Branch unprotected",
    sentence: ({ path, name }) => `removed the protection of the branch ${name} of ${path}`,
  },
  "repository.pushed": {
    label: "Pushed",
    sentence: ({ path, references, more }) =>
      `pushed to ${path}: ${listed(references.map(referenceChange))}${more === 0 ? "" : ` and ${more} more`}`,
  },
  "merge_request.merged": {
    label: "Merge request merged",
    sentence: ({ path, iid, sourceBranch, targetBranch, commit }) =>
      `merged ${path}!${iid}, ${sourceBranch} into ${targetBranch}, at ${short(commit)}`,
  },
  "merge_request.approved": {
    label: "Merge request approved",
    sentence: ({ path, iid, commit }) => `approved ${path}!${iid} at ${short(commit)}`,
  },
  "merge_request.unapproved": {
    label: "Approval withdrawn",
    sentence: ({ path, iid, commit }) => `withdrew the approval of ${path}!${iid} at ${short(commit)}`,
  },
  "merge_request.approvals_removed": {
    label: "Approvals removed",
    sentence: ({ path, iid, cause, approvals }) =>
      `removed the approvals of ${path}!${iid} by ${listed(approvals.map(({ username }) => username))}, because ${REMOVED_BECAUSE[cause]}`,
  },
  "managed_license.added": {
    label: "License added",
    sentence: ({ name, status, path }) => `changed the status of the license ${name} to ${status} in ${path}`,
  },
  "managed_license.changed": {
    label: "License changed",
    sentence: ({ name, status, path }) => `changed the status of the license ${name} to ${status} in ${path}`,
  },
  "managed_license.removed": {
    label: "License removed",
    sentence: ({ name, path }) => `removed the license ${name} from ${path}`,
  },
  "license_policy.created": {
    label: "License policy created",
    sentence: ({ name, path }) => `created the license policy ${name} of ${path}`,
  },
  "license_policy.changed": {
    label: "License policy changed",
    sentence: ({ name, path }) => `changed the license policy ${name} of ${path}`,
  },
  "license_policy.removed": {
    label: "License policy removed",
    sentence: ({ name, path }) => `removed the license policy ${name} of ${path}`,
  },
  "license_policy.converted": {
    label: "Licenses converted",
    sentence: ({ name, path }) => `converted the managed licenses of ${path} into the policy ${name}`,
  },
};

const REMOVED_BECAUSE = {
  push: "a push changed the source branch",
  committer: "committers may not approve",
  target_changed: "the target branch was changed",
} as const satisfies Record<AuditEvents["merge_request.approvals_removed"]["cause"], string>;

const short = (id: string): string => (/^0+$/.test(id) ? "nothing" : id.slice(0, 8));

const referenceChange = ({
  ref,
  before,
  after,
}: AuditEvents["repository.pushed"]["references"][number]): string =>
  `${ref.replace(/^refs\/(?:heads|tags)\//, "")} from ${short(before)} to ${short(after)}`;

type Protection = Pick<
  AuditEvents["protected_branch.created"],
  "pushAccessLevel" | "mergeAccessLevel" | "allowForcePush"
>;

const protection = ({ pushAccessLevel, mergeAccessLevel, allowForcePush }: Protection): string =>
  `push ${pushAccessLevel}, merge ${mergeAccessLevel}, force push ${allowForcePush ? "allowed" : "refused"}`;
