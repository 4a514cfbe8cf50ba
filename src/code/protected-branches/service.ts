import type { User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { lockProject } from "@/workspace/projects/service";
import type { PushRules } from "../repositories/hooks";
import { isBranchName } from "../repositories/reference";
import { FIRST_BRANCH } from "../repositories/rules";
import { headBranch } from "../repositories/service";
import {
  type BranchRights,
  DEFAULT_PROTECTION,
  hasAccess,
  LEAST_TO_ADMINISTER,
  PROTECTED_BRANCHES_MAX,
  type ProtectedBranch,
  type Protection,
  rightsFor,
  WILDCARDS_MAX,
} from "./rules";
import * as store from "./store";

type Reading = Pick<Deps, "db" | "reads" | "config">;
type OfProject = Readonly<{ id: number }>;

/** Protects the default branch of a new project, in the transaction that creates the project. */
export async function protectDefaultBranch(deps: Deps, { id }: OfProject): Promise<void> {
  const rule = { ...DEFAULT_PROTECTION, projectId: id, name: FIRST_BRANCH, followsDefault: true };
  await store.insertRule(deps.db, { ...rule, createdAt: deps.clock() });
}

/**
 * The branch protection rules of a project, ordered by name. `head` is the branch to which HEAD of the
 * repository pointed immediately before the rules were read.
 */
type CurrentRules = Readonly<{ rules: readonly ProtectedBranch[]; head: string }>;

/**
 * Returns the branch protection rules of a project. The branch protection rule that was created with the
 * project always protects the default branch. If the first push to the empty repository changed the default
 * branch, the function gives this rule the name of the new default branch.
 */
export async function readRules(deps: Reading, project: OfProject): Promise<CurrentRules> {
  const head = headBranch(deps, project);
  const rules = await store.listRules(deps.reads, project.id);
  const following = rules.find(({ followsDefault }) => followsDefault);
  if (following === undefined || following.name === head) return { rules, head };
  const isTaken = rules.some(({ name }) => name === head);
  await store.followDefault(deps.db, following, { name: head, isTaken });
  return { rules: await store.listRules(deps.reads, project.id), head };
}

/** Returns the branch protection rules whose names contain the search text, ordered by name. */
export async function listProtectedBranches(
  deps: Reading,
  project: OfProject,
  search = "",
): Promise<readonly ProtectedBranch[]> {
  const { rules } = await readRules(deps, project);
  return rules.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
}

/**
 * Returns the branch protection rule with exactly this name, or null. Wildcards in names of rules are not
 * applied.
 */
export async function findProtectedBranch(
  deps: Reading,
  project: OfProject,
  name: string,
): Promise<ProtectedBranch | null> {
  return (await listProtectedBranches(deps, project)).find((rule) => rule.name === name) ?? null;
}

/** Returns the rights of a user with this role on a branch. */
export async function branchRights(
  deps: Reading,
  project: OfProject & Readonly<{ role: Role | null }>,
  branch: string,
): Promise<BranchRights> {
  return rightsFor((await readRules(deps, project)).rules, branch, project.role);
}

/** Returns the branch protection rules that the update hook applies to a push by a user with this role. */
export async function readPushRules(
  deps: Reading,
  { role, ...project }: OfProject & Readonly<{ role: Role | null }>,
): Promise<PushRules> {
  const { rules, head } = await readRules(deps, project);
  return {
    head,
    mayBegin: reaches(role, LEAST_TO_ADMINISTER) || rightsFor(rules, head, role).mayPush,
    rules: rules.map(({ name, pushAccessLevel, allowForcePush }) => ({
      name,
      mayPush: hasAccess(role, pushAccessLevel),
      allowForcePush,
    })),
  };
}

export type ProtectionRefusal = "not_allowed" | "bad_name" | "taken" | "too_many";

/** Returns whether a branch protection rule can have this name: the name of a branch, or a wildcard. */
const isRuleName = (name: string): boolean =>
  isBranchName(name.replaceAll("*", "x")) && name.split("*").length - 1 <= WILDCARDS_MAX;

/** Protects a branch, or every branch that a wildcard matches. @returns the new rule, or the reason for the refusal. */
export async function protectBranch(
  deps: Deps,
  project: AuthorizedProject,
  { name, ...protection }: Protection & Readonly<{ name: string }>,
  by: User,
): Promise<ProtectedBranch | ProtectionRefusal> {
  if (!reaches(project.role, LEAST_TO_ADMINISTER)) return "not_allowed";
  if (!isRuleName(name)) return "bad_name";
  return deps.transaction(async (within) => {
    await lockProject(within, project.id);
    const { rules } = await readRules(within, project);
    if (rules.some((rule) => rule.name === name)) return "taken";
    if (rules.length >= PROTECTED_BRANCHES_MAX) return "too_many";
    const row = { projectId: project.id, name, ...protection, followsDefault: false };
    const rule = await store.insertRule(within.db, { ...row, createdAt: within.clock() });
    await recordRule(within, "protected_branch.created", project, rule, by);
    return rule;
  });
}

/**
 * Changes a branch protection rule.
 * @returns null if the project has no rule with this name, or the user may not change the rule.
 */
export const changeProtection = (
  deps: Deps,
  project: AuthorizedProject,
  name: string,
  changes: Partial<Protection>,
  by: User,
): Promise<ProtectedBranch | null> =>
  deps.transaction(async (within) => {
    const rule = await findProtectedBranch(within, project, name);
    if (rule === null || !reaches(project.role, LEAST_TO_ADMINISTER)) return null;
    if (Object.keys(changes).length === 0) return rule;
    if (!(await store.updateRule(within.db, rule.id, changes))) return null;
    const changed = { ...rule, ...changes };
    await recordRule(within, "protected_branch.changed", project, changed, by);
    return changed;
  });

/**
 * Deletes a branch protection rule.
 * @returns false if the project has no rule with this name, or the user may not delete the rule.
 */
export const unprotectBranch = (
  deps: Deps,
  project: AuthorizedProject,
  name: string,
  by: User,
): Promise<boolean> =>
  deps.transaction(async (within) => {
    const rule = await findProtectedBranch(within, project, name);
    if (rule === null || !reaches(project.role, LEAST_TO_ADMINISTER)) return false;
    if (!(await store.removeRule(within.db, rule.id))) return false;
    const details = { id: project.id, path: project.fullPath, name };
    await audit.record(within, "protected_branch.removed", details, { userId: by.id });
    return true;
  });

const recordRule = (
  deps: Deps,
  event: "protected_branch.created" | "protected_branch.changed",
  { id, fullPath }: AuthorizedProject,
  { name, pushAccessLevel, mergeAccessLevel, allowForcePush }: ProtectedBranch,
  by: User,
): Promise<void> => {
  const rule = { name, pushAccessLevel, mergeAccessLevel, allowForcePush };
  return audit.record(deps, event, { id, path: fullPath, ...rule }, { userId: by.id });
};
