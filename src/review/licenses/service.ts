import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { FieldErrors } from "@/workspace/naming/path";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { lockProject } from "@/workspace/projects/service";
import {
  distinct,
  LICENSES_MAX,
  type LicensePolicy,
  type LicenseStatus,
  listProblems,
  listsFrom,
  MANAGED_POLICY,
  type ManagedLicense,
  POLICIES_MAX,
  type PolicyTerms,
  withLists,
} from "./rules";
import * as store from "./store";

const placeOf = ({ id, fullPath }: AuthorizedProject) => ({ id, path: fullPath });

/** Returns a page of the managed licenses of a project. */
export const listManagedLicenses = (
  deps: Pick<Deps, "db">,
  project: AuthorizedProject,
  paging: Paging,
): Promise<Page<ManagedLicense>> => store.listManaged(deps.db, project, paging);

/**
 * Returns a managed license, or null.
 * @param reference the id of the license, or the name of the license in any letter case.
 */
export async function findManagedLicense(
  deps: Pick<Deps, "db">,
  project: AuthorizedProject,
  reference: string,
): Promise<ManagedLicense | null> {
  // A number with more than nine digits is treated as a license name, because such a number may exceed the
  // integer type of the database.
  const byId = /^\d{1,9}$/.test(reference)
    ? await store.findManaged(deps.db, project, { id: Number(reference) })
    : null;
  return byId ?? store.findManaged(deps.db, project, { name: reference });
}

/**
 * Adds a managed license.
 * @returns `taken` if the project already has a license with this name, in any letter case.
 */
export const addManagedLicense = (
  deps: Deps,
  project: AuthorizedProject,
  license: Pick<ManagedLicense, "name" | "status">,
  by: User,
): Promise<ManagedLicense | "taken" | "too_many"> =>
  deps.transaction(async (within) => {
    await lockProject(within, project.id);
    if ((await store.findManaged(within.db, project, license)) !== null) return "taken";
    if ((await store.countManaged(within.db, project)) >= LICENSES_MAX) return "too_many";
    const added = await store.insertManaged(within.db, project, license, within.clock());
    const details = { ...placeOf(project), name: added.name, status: added.status };
    await audit.record(within, "managed_license.added", details, { userId: by.id });
    return added;
  });

/** Changes the status of a managed license. @returns null if the license no longer exists. */
export const changeManagedLicense = (
  deps: Deps,
  project: AuthorizedProject,
  license: ManagedLicense,
  { status, by }: Readonly<{ status: LicenseStatus; by: User }>,
): Promise<ManagedLicense | null> =>
  deps.transaction(async (within) => {
    await lockProject(within, project.id);
    if (!(await store.setStatus(within.db, license.id, status))) return null;
    const details = { ...placeOf(project), name: license.name, status };
    await audit.record(within, "managed_license.changed", details, { userId: by.id });
    return { ...license, status };
  });

/** Deletes a managed license. @returns false if the license no longer exists. */
export const removeManagedLicense = (
  deps: Deps,
  project: AuthorizedProject,
  { id, name }: ManagedLicense,
  by: User,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    await lockProject(within, project.id);
    if ((await store.removeManaged(within.db, [id])) === 0) return false;
    const details = { ...placeOf(project), name };
    await audit.record(within, "managed_license.removed", details, { userId: by.id });
    return true;
  });

/** Returns a page of the license approval policies of a project. */
export const listPolicies = (
  deps: Pick<Deps, "db">,
  project: AuthorizedProject,
  paging: Paging,
): Promise<Page<LicensePolicy>> => store.listPolicies(deps.db, project, paging);

export const findPolicy = (
  deps: Pick<Deps, "db">,
  project: AuthorizedProject,
  id: number,
): Promise<LicensePolicy | null> => store.findPolicy(deps.db, project, id);

export type PolicyOutcome = { readonly policy: LicensePolicy } | { readonly problems: FieldErrors };

const TOO_MANY: PolicyOutcome = {
  problems: { base: [`A project can have at most ${POLICIES_MAX} policies`] },
};

const termsFrom = (terms: PolicyTerms): PolicyTerms => ({
  ...terms,
  allowList: distinct(terms.allowList),
  denyList: distinct(terms.denyList),
});

/** Creates a license approval policy. The policy applies to open merge requests immediately. */
export async function createPolicy(
  deps: Deps,
  project: AuthorizedProject,
  draft: PolicyTerms,
  by: User,
): Promise<PolicyOutcome> {
  const terms = termsFrom(draft);
  const problems = listProblems(terms);
  if (problems !== null) return { problems };
  return deps.transaction(async (within): Promise<PolicyOutcome> => {
    await lockProject(within, project.id);
    if ((await store.countPolicies(within.db, project)) >= POLICIES_MAX) return TOO_MANY;
    const policy = await store.insertPolicy(within.db, project, terms, {
      converted: false,
      now: within.clock(),
    });
    await recordAuditEvent(within, "license_policy.created", project, policy, by);
    return { policy };
  });
}

/**
 * Edits a license approval policy. Fields that the request does not contain stay unchanged.
 * @returns null if the policy no longer exists.
 */
export const changePolicy = (
  deps: Deps,
  project: AuthorizedProject,
  id: number,
  { changes, by }: Readonly<{ changes: Partial<PolicyTerms>; by: User }>,
): Promise<PolicyOutcome | null> =>
  deps.transaction(async (within): Promise<PolicyOutcome | null> => {
    await lockProject(within, project.id);
    const before = await store.findPolicy(within.db, project, id);
    if (before === null) return null;
    const terms = termsFrom({ ...before, ...changes });
    const problems = listProblems(terms);
    if (problems !== null) return { problems };
    const policy = await store.updatePolicy(within.db, id, terms, within.clock());
    await recordAuditEvent(within, "license_policy.changed", project, policy, by);
    return { policy };
  });

/** Deletes a license approval policy. @returns false if the policy no longer exists. */
export const removePolicy = (
  deps: Deps,
  project: AuthorizedProject,
  id: number,
  by: User,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    await lockProject(within, project.id);
    const policy = await store.findPolicy(within.db, project, id);
    if (policy === null || !(await store.removePolicy(within.db, id))) return false;
    await recordAuditEvent(within, "license_policy.removed", project, policy, by);
    return true;
  });

/** The result of a conversion of managed licenses. `policy` is null if the project never had managed licenses. */
export type Conversion = Readonly<{ allowed: number; denied: number; policy: LicensePolicy | null }>;

/**
 * Converts the managed licenses of a project into one policy with the same effect, and deletes the managed
 * licenses in the same transaction. A later conversion adds the managed licenses that were created since the
 * last conversion to the same policy.
 */
export const convertManagedLicenses = (
  deps: Deps,
  project: AuthorizedProject,
  by: User,
): Promise<Conversion | Readonly<{ problems: FieldErrors }>> =>
  deps.transaction(async (within): Promise<Conversion | Readonly<{ problems: FieldErrors }>> => {
    await lockProject(within, project.id);
    const managed = await store.allManaged(within.db, project);
    const before = await store.findConverted(within.db, project);
    if (managed.length === 0) return { allowed: 0, denied: 0, policy: before };
    const converted = listsFrom(managed);
    const terms = { description: "", ...MANAGED_POLICY, ...before, enabled: true };
    const lists = withLists(before ?? { allowList: [], denyList: [] }, converted);
    const problems = listProblems(lists);
    if (problems !== null) return { problems };
    if (before === null && (await store.countPolicies(within.db, project)) >= POLICIES_MAX) return TOO_MANY;
    const now = within.clock();
    const policy =
      before === null
        ? await store.insertPolicy(within.db, project, { ...terms, ...lists }, { converted: true, now })
        : await store.updatePolicy(within.db, before.id, { ...terms, ...lists }, now);
    await store.removeManaged(
      within.db,
      managed.map(({ id }) => id),
    );
    const counts = { allowed: converted.allowList.length, denied: converted.denyList.length };
    const details = { ...placeOf(project), policyId: policy.id, name: policy.name, ...counts };
    await audit.record(within, "license_policy.converted", details, { userId: by.id });
    return { ...counts, policy };
  });

const recordAuditEvent = (
  deps: Deps,
  name: "license_policy.created" | "license_policy.changed" | "license_policy.removed",
  project: AuthorizedProject,
  policy: LicensePolicy,
  by: User,
): Promise<void> => {
  const details = { ...placeOf(project), policyId: policy.id, name: policy.name };
  return audit.record(deps, name, details, { userId: by.id });
};
