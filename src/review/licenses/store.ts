import type { Db } from "@/kernel/db/db";
import type {
  ManagedLicense as LicenseRow,
  LicensePolicy as PolicyRow,
} from "@/kernel/db/generated/sqlite/client";
import type { Reads } from "@/kernel/db/prepared";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import {
  type EnforcedPolicy,
  type IntroducedLicenses,
  LICENSE_STATUSES,
  type LicensePolicy,
  type LicenseStatus,
  listsFrom,
  MANAGED_POLICY,
  type ManagedLicense,
  type PolicyTerms,
} from "./rules";
import { readIntroducedLicenses, readNames } from "./schema";
import * as sql from "./store.sql";

const licenseFrom = ({ id, name, status }: Pick<LicenseRow, "id" | "name" | "status">): ManagedLicense => ({
  id,
  name,
  status: LICENSE_STATUSES.find((candidate) => candidate === status) ?? "denied",
});

const inOrder = (paging: Paging) => ({
  orderBy: { id: directionOf(paging) } as const,
  ...windowOf(paging),
});

export function listManaged(
  db: Db,
  { id }: AuthorizedProject,
  paging: Paging,
): Promise<Page<ManagedLicense>> {
  const where = { projectId: id };
  const read = async () => {
    const rows = await db.managedLicense.findMany({
      where: { ...where, ...keysetFilterOf(paging) },
      ...inOrder(paging),
    });
    return rows.map(licenseFrom);
  };
  return pageFrom(paging, read(), () => db.managedLicense.count({ where, take: COUNTED_MAX + 1 }));
}

/** Returns all managed licenses of a project. A project has at most `LICENSES_MAX` managed licenses. */
export async function allManaged(db: Db, { id }: AuthorizedProject): Promise<readonly ManagedLicense[]> {
  const rows = await db.managedLicense.findMany({ where: { projectId: id }, orderBy: { id: "asc" } });
  return rows.map(licenseFrom);
}

export async function findManaged(
  db: Db,
  { id: projectId }: AuthorizedProject,
  by: Readonly<{ id: number } | { name: string }>,
): Promise<ManagedLicense | null> {
  const row =
    "id" in by
      ? await db.managedLicense.findFirst({ where: { id: by.id, projectId } })
      : await db.managedLicense.findUnique({
          where: { projectId_nameLower: { projectId, nameLower: by.name.toLowerCase() } },
        });
  return row && licenseFrom(row);
}

export const countManaged = (db: Db, { id }: AuthorizedProject): Promise<number> =>
  db.managedLicense.count({ where: { projectId: id } });

export async function insertManaged(
  db: Db,
  { id: projectId }: AuthorizedProject,
  { name, status }: Pick<ManagedLicense, "name" | "status">,
  createdAt: Date,
): Promise<ManagedLicense> {
  const data = { projectId, name, nameLower: name.toLowerCase(), status, createdAt };
  return licenseFrom(await db.managedLicense.create({ data }));
}

/** Changes the status of a managed license. @returns false if the license no longer exists. */
export async function setStatus(db: Db, id: number, status: LicenseStatus): Promise<boolean> {
  return (await db.managedLicense.updateMany({ where: { id }, data: { status } })).count === 1;
}

/** Deletes managed licenses. @returns the number of deleted licenses. */
export async function removeManaged(db: Db, ids: readonly number[]): Promise<number> {
  return (await db.managedLicense.deleteMany({ where: { id: { in: [...ids] } } })).count;
}

const policyFrom = ({
  projectId: _,
  convertedFor: _from,
  allowList,
  denyList,
  ...row
}: Omit<PolicyRow, "convertedFor"> & Partial<PolicyRow>) =>
  ({ ...row, allowList: readNames(allowList), denyList: readNames(denyList) }) satisfies LicensePolicy;

const dataOf = ({ allowList, denyList, ...terms }: PolicyTerms) => ({
  name: terms.name,
  description: terms.description,
  enabled: terms.enabled,
  approvalsRequired: terms.approvalsRequired,
  allowList: JSON.stringify(allowList),
  denyList: JSON.stringify(denyList),
});

export function listPolicies(
  db: Db,
  { id }: AuthorizedProject,
  paging: Paging,
): Promise<Page<LicensePolicy>> {
  const where = { projectId: id };
  const read = async () => {
    const rows = await db.licensePolicy.findMany({
      where: { ...where, ...keysetFilterOf(paging) },
      ...inOrder(paging),
    });
    return rows.map(policyFrom);
  };
  return pageFrom(paging, read(), () => db.licensePolicy.count({ where, take: COUNTED_MAX + 1 }));
}

export async function findPolicy(
  db: Db,
  { id: projectId }: AuthorizedProject,
  id: number,
): Promise<LicensePolicy | null> {
  const row = await db.licensePolicy.findFirst({ where: { id, projectId } });
  return row && policyFrom(row);
}

/** Returns the policy into which the managed licenses of a project were converted, or null. */
export async function findConverted(db: Db, { id }: AuthorizedProject): Promise<LicensePolicy | null> {
  const row = await db.licensePolicy.findUnique({ where: { convertedFor: id } });
  return row && policyFrom(row);
}

export const countPolicies = (db: Db, { id }: AuthorizedProject): Promise<number> =>
  db.licensePolicy.count({ where: { projectId: id } });

/**
 * Inserts a license approval policy.
 * @param converted whether the policy results from a conversion of managed licenses.
 */
export async function insertPolicy(
  db: Db,
  { id: projectId }: AuthorizedProject,
  terms: PolicyTerms,
  { converted, now }: Readonly<{ converted: boolean; now: Date }>,
): Promise<LicensePolicy> {
  const moments = { createdAt: now, updatedAt: now };
  const data = { ...dataOf(terms), ...moments, projectId, convertedFor: converted ? projectId : null };
  return policyFrom(await db.licensePolicy.create({ data }));
}

export const updatePolicy = async (
  db: Db,
  id: number,
  terms: PolicyTerms,
  now: Date,
): Promise<LicensePolicy> =>
  policyFrom(await db.licensePolicy.update({ where: { id }, data: { ...dataOf(terms), updatedAt: now } }));

export async function removePolicy(db: Db, id: number): Promise<boolean> {
  return (await db.licensePolicy.deleteMany({ where: { id } })).count === 1;
}

export const hasEnforcedPolicies = sql.hasPolicies;

/**
 * Returns the enforced license policies of projects, with the project id as key. Projects without license
 * policies have no entry. The function runs two queries.
 */
export async function enforcedPoliciesOf(
  reads: Reads,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly EnforcedPolicy[]>> {
  const [policies, managed] = await Promise.all([
    sql.listEnabledPolicies(reads, projectIds),
    sql.listLicenses(reads, projectIds),
  ]);
  const enforced = new Map<number, EnforcedPolicy[]>();
  const add = (projectId: number, policy: EnforcedPolicy) =>
    enforced.set(projectId, [...(enforced.get(projectId) ?? []), policy]);
  for (const row of policies) add(row.projectId, policyFrom(row));
  const byProject = new Map<number, ManagedLicense[]>();
  for (const row of managed)
    byProject.set(row.projectId, [...(byProject.get(row.projectId) ?? []), licenseFrom(row)]);
  for (const [projectId, licenses] of byProject)
    add(projectId, { id: null, ...MANAGED_POLICY, ...listsFrom(licenses) });
  return enforced;
}

/** The merge base and the head of a merge request, between which licenses are compared. */
export type Span = Readonly<{ baseSha: string; headSha: string }>;

/** Returns whether the database contains the licenses that the changes between these commits introduce. */
export async function hasFinding(
  reads: Reads,
  mergeRequestId: number,
  { baseSha, headSha }: Span,
): Promise<boolean> {
  const findings = await sql.listFindings(reads, [mergeRequestId]);
  return findings.some((finding) => finding.baseSha === baseSha && finding.headSha === headSha);
}

/**
 * Returns the stored licenses that merge requests introduce, with the merge request id as key. `introduced`
 * is null if the storage format is unknown.
 */
export async function findingsOf(
  reads: Reads,
  mergeRequestIds: readonly number[],
): Promise<ReadonlyMap<number, Span & Readonly<{ introduced: IntroducedLicenses | null }>>> {
  const rows = await sql.listFindings(reads, mergeRequestIds);
  return new Map(
    rows.map(({ mergeRequestId, baseSha, headSha, ...stored }) => [
      mergeRequestId,
      { baseSha, headSha, introduced: readIntroducedLicenses(stored) },
    ]),
  );
}

/**
 * Stores the licenses that a merge request introduces. The licenses replace the licenses that were stored
 * earlier.
 */
export async function saveFinding(
  db: Db,
  mergeRequestId: number,
  span: Span,
  introduced: IntroducedLicenses,
): Promise<void> {
  const data = {
    baseSha: span.baseSha,
    headSha: span.headSha,
    licenses: JSON.stringify(introduced.licenses),
    unreadable: JSON.stringify(introduced.unreadable),
  };
  await db.licenseFinding.upsert({
    where: { mergeRequestId },
    create: { mergeRequestId, ...data },
    update: data,
  });
}
