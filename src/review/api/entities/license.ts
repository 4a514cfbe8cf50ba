import { z } from "zod";
import { defineEntity, moment } from "@/http-api/entity";
import type { OpenViolation } from "@/review/licenses/enforcement";
import { LICENSE_STATUSES, type LicensePolicy, type ManagedLicense } from "@/review/licenses/rules";
import type { Conversion } from "@/review/licenses/service";

export const managedLicense = defineEntity(
  "managed_license",
  { id: z.int(), name: z.string(), approval_status: z.enum(LICENSE_STATUSES) },
  ({ id, name, status }: ManagedLicense) => ({ id, name, approval_status: status }),
);

const policyFields = {
  id: z.int(),
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  allow_list: z.array(z.string()),
  deny_list: z.array(z.string()),
  approvals_required: z.int(),
  created_at: moment,
  updated_at: moment,
};

const policyOf = (policy: LicensePolicy) => ({
  id: policy.id,
  name: policy.name,
  description: policy.description,
  enabled: policy.enabled,
  allow_list: [...policy.allowList],
  deny_list: [...policy.denyList],
  approvals_required: policy.approvalsRequired,
  created_at: policy.createdAt.toISOString(),
  updated_at: policy.updatedAt.toISOString(),
});

export const licenseApprovalPolicy = defineEntity("license_approval_policy", policyFields, policyOf);

/**
 * The result of a conversion of managed licenses: the number of converted licenses, and the policy that
 * contains these licenses.
 */
export const licenseConversion = defineEntity(
  "license_conversion",
  {
    converted: z.object({ allowed: z.int(), denied: z.int() }),
    policy: z.object(policyFields).nullable(),
  },
  ({ allowed, denied, policy }: Conversion) => ({
    converted: { allowed, denied },
    policy: policy && policyOf(policy),
  }),
);

/** A violation of a license approval policy by a merge request. */
export const licenseViolation = defineEntity(
  "license_violation",
  {
    policy: z.object({ id: z.int().nullable(), name: z.string() }),
    license: z.string().nullable(),
    reason: z.enum(["denied", "not_allowed", "unreadable"]),
    packages: z.array(z.string()),
    packages_count: z.int(),
    approvals_required: z.int(),
    approvals_left: z.int().nullable(),
    settled: z.boolean(),
  },
  ({ policy, license, objection, packages, count, approvalsLeft }: OpenViolation) => ({
    policy: { id: policy.id, name: policy.name },
    license,
    reason: objection,
    packages: [...packages],
    packages_count: count,
    approvals_required: policy.approvalsRequired,
    approvals_left: approvalsLeft,
    settled: approvalsLeft === 0,
  }),
);
