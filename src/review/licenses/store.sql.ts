import { flag, integer, integers, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";

const POLICY_COLUMNS = {
  id: [`p."id"`, integer],
  projectId: [`p."projectId"`, integer],
  name: [`p."name"`, text],
  description: [`p."description"`, text],
  enabled: [`p."enabled"`, flag],
  allowList: [`p."allowList"`, text],
  denyList: [`p."denyList"`, text],
  approvalsRequired: [`p."approvalsRequired"`, integer],
  createdAt: [`p."createdAt"`, time],
  updatedAt: [`p."updatedAt"`, time],
} as const;

const ENABLED_POLICIES = statement({
  name: "enabled_license_policies",
  parameters: { projectIds: integers, enabled: flag },
  columns: POLICY_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "LicensePolicy" p
    WHERE ${isIn(`p."projectId"`, ":projectIds")} AND p."enabled" = :enabled ORDER BY p."id"`,
  ),
});

/** Returns the enabled policies of projects, ordered by id. */
export const listEnabledPolicies = (
  reads: Reads,
  projectIds: readonly number[],
): Eventually<readonly RowOf<typeof POLICY_COLUMNS>[]> =>
  reads.all(ENABLED_POLICIES, { projectIds, enabled: true });

const HAS_POLICIES = statement({
  name: "has_enforced_policies",
  parameters: { projectId: integer, enabled: flag },
  columns: {
    isEnforced: [
      `(EXISTS (SELECT 1 FROM "LicensePolicy" p WHERE p."projectId" = :projectId AND p."enabled" = :enabled)
        OR EXISTS (SELECT 1 FROM "ManagedLicense" l WHERE l."projectId" = :projectId))`,
      flag,
    ],
  },
  sql: (columns) => `SELECT ${columns}`,
});

/** Returns whether a project has enabled policies or managed licenses. */
export const hasPolicies = async (reads: Reads, projectId: number): Promise<boolean> =>
  (await reads.first(HAS_POLICIES, { projectId, enabled: true }))?.isEnforced ?? false;

const LICENSE_COLUMNS = {
  id: [`l."id"`, integer],
  projectId: [`l."projectId"`, integer],
  name: [`l."name"`, text],
  status: [`l."status"`, text],
} as const;

const LICENSES = statement({
  name: "managed_licenses",
  parameters: { projectIds: integers },
  columns: LICENSE_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "ManagedLicense" l WHERE ${isIn(`l."projectId"`, ":projectIds")} ORDER BY l."id"`,
  ),
});

/** Returns the managed licenses of projects, ordered by id. */
export const listLicenses = (
  reads: Reads,
  projectIds: readonly number[],
): Eventually<readonly RowOf<typeof LICENSE_COLUMNS>[]> => reads.all(LICENSES, { projectIds });

const FINDING_COLUMNS = {
  mergeRequestId: [`f."mergeRequestId"`, integer],
  baseSha: [`f."baseSha"`, text],
  headSha: [`f."headSha"`, text],
  licenses: [`f."licenses"`, text],
  unreadable: [`f."unreadable"`, text],
} as const;

const FINDINGS = statement({
  name: "license_findings",
  parameters: { mergeRequestIds: integers },
  columns: FINDING_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "LicenseFinding" f WHERE ${isIn(`f."mergeRequestId"`, ":mergeRequestIds")}`,
  ),
});

/** Returns the stored licenses of merge requests. */
export const listFindings = (
  reads: Reads,
  mergeRequestIds: readonly number[],
): Eventually<readonly RowOf<typeof FINDING_COLUMNS>[]> => reads.all(FINDINGS, { mergeRequestIds });
