import { notFound } from "next/navigation";
import { reaches } from "@/access/roles";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/http/query";
import { PROJECTS, requireProject } from "@/workspace/projects/loaders";
import { LICENSES_MAX, listsFrom, POLICIES_MAX, POLICY_DEFAULTS } from "./rules";
import { policyDraftOf } from "./schema";
import { findPolicy, listManagedLicenses, listPolicies } from "./service";

/**
 * Returns the URL path of the page that lists the license policies.
 * @param home the URL path of the project.
 */
export const licensePoliciesPath = (home: string): string => `${home}/settings/license_policies`;

const pathOf = ({ id }: Readonly<{ id: number }>): string => licensePoliciesPath(`${PROJECTS}/${id}`);

/**
 * Loads the license approval policies and the managed licenses of a project. As in the API, developers can
 * read policies, and maintainers can also edit policies.
 */
export async function loadLicensePolicies(id: string) {
  const { project } = await requireProject(id, licensePoliciesPath, "developer");
  const deps = systemDeps();
  const first = (perPage: number) => ({ kind: "offset", page: 1, perPage }) as const;
  const [policies, managed] = await Promise.all([
    listPolicies(deps, project, first(POLICIES_MAX)),
    listManagedLicenses(deps, project, first(LICENSES_MAX)),
  ]);
  return {
    project: project.id,
    path: pathOf(project),
    policies: policies.rows,
    managed: listsFrom(managed.rows),
    mayEdit: reaches(project.role, "maintainer"),
    mayAdd: policies.rows.length < POLICIES_MAX,
  };
}

/** Loads the form for a new license policy. */
export async function loadNewLicensePolicy(id: string) {
  const path = (home: string) => `${licensePoliciesPath(home)}/new`;
  const { project } = await requireProject(id, path, "maintainer");
  return {
    project: project.id,
    path: pathOf(project),
    draft: policyDraftOf({ name: "", ...POLICY_DEFAULTS }),
  };
}

/** Loads the form that edits a license policy. */
export async function loadLicensePolicy(id: string, policyId: string) {
  const path = (home: string) => `${licensePoliciesPath(home)}/${encodeURIComponent(policyId)}`;
  const { project } = await requireProject(id, path, "maintainer");
  const policy = (await findPolicy(systemDeps(), project, readId(policyId) ?? notFound())) ?? notFound();
  return { project: project.id, path: pathOf(project), policy, draft: policyDraftOf(policy) };
}
