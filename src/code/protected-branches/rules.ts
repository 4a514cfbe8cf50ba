import { ROLES, type Role, reaches } from "@/access/roles";

/**
 * The possible access levels of a branch protection rule. An access level is the level of the lowest role
 * that has access; 0 means that no one has access.
 */
export const ACCESS_LEVELS = [0, 30, 40] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** The descriptions of access levels in the GitLab API. */
export const ACCESS_LEVEL_LABELS: Readonly<Record<AccessLevel, string>> = {
  0: "No one",
  30: "Developers + Maintainers",
  40: "Maintainers",
};

export type Protection = Readonly<{
  pushAccessLevel: AccessLevel;
  mergeAccessLevel: AccessLevel;
  /** Whether users who may push may also force-push. */
  allowForcePush: boolean;
}>;

/**
 * A branch protection rule. The rule protects the branch with the same name as the rule or, if the name of
 * the rule contains wildcards, every branch that matches the name.
 */
export type ProtectedBranch = Protection & Readonly<{ id: number; name: string }>;

/**
 * The protection of the default branch of a new project, and the default values of a new branch protection
 * rule.
 */
export const DEFAULT_PROTECTION: Protection = {
  pushAccessLevel: 40,
  mergeAccessLevel: 40,
  allowForcePush: false,
};

/** The minimum role for deleting protected branches through the API and for the first push to a repository. */
export const LEAST_TO_ADMINISTER: Role = "maintainer";

/**
 * The maximum number of branch protection rules in a project. The number is limited because every push and
 * every request for a list of branches reads all rules of the project.
 */
export const PROTECTED_BRANCHES_MAX = 100;

/**
 * The maximum number of wildcards in the name of a rule. The update hook matches wildcards by backtracking,
 * so the run time of the hook grows with each wildcard.
 */
export const WILDCARDS_MAX = 3;

/**
 * Returns whether a rule with this name protects a branch. In the name of the rule, `*` matches any
 * characters, including slashes.
 */
export function matchesBranch(name: string, branch: string): boolean {
  const [first = "", ...rest] = name.split("*");
  const last = rest.pop();
  if (last === undefined) return name === branch;
  if (!branch.startsWith(first) || !branch.endsWith(last)) return false;
  // Each part between two wildcards is matched at its first occurrence, so that the longest possible text
  // remains for the other parts of the name.
  let at = first.length;
  for (const part of rest) {
    const index = branch.indexOf(part, at);
    if (index === -1) return false;
    at = index + part.length;
  }
  return at + last.length <= branch.length;
}

/** The rights of a user on a branch. */
export type BranchRights = Readonly<{
  isProtected: boolean;
  mayPush: boolean;
  /** Whether the user may merge a merge request into the branch. Users who may push may also merge. */
  mayMerge: boolean;
  mayForcePush: boolean;
  /** Whether the user may delete the branch through the API. A push never deletes a protected branch. */
  mayDelete: boolean;
  developersCanPush: boolean;
  developersCanMerge: boolean;
}>;

/**
 * Returns whether a role has access at an access level. At level 0, no one has access, not even
 * administrators.
 */
export const hasAccess = (role: Role | null, level: AccessLevel): boolean =>
  level !== 0 && role !== null && ROLES[role].level >= level;

/**
 * Returns the rights of a user with this role on a branch. If several rules match the branch, the most permissive rule
 * applies.
 */
export function rightsFor(
  rules: readonly ProtectedBranch[],
  branch: string,
  role: Role | null,
): BranchRights {
  const matching = rules.filter(({ name }) => matchesBranch(name, branch));
  if (matching.length === 0) {
    const may = reaches(role, "developer");
    const open = { mayPush: may, mayMerge: may, mayForcePush: may, mayDelete: may };
    return { isProtected: false, ...open, developersCanPush: false, developersCanMerge: false };
  }
  const mayPush = matching.some(({ pushAccessLevel }) => hasAccess(role, pushAccessLevel));
  return {
    isProtected: true,
    mayPush,
    mayMerge: mayPush || matching.some(({ mergeAccessLevel }) => hasAccess(role, mergeAccessLevel)),
    mayForcePush: mayPush && matching.some(({ allowForcePush }) => allowForcePush),
    mayDelete: reaches(role, LEAST_TO_ADMINISTER),
    developersCanPush: matching.some(({ pushAccessLevel }) => pushAccessLevel === 30),
    developersCanMerge: matching.some(({ mergeAccessLevel }) => mergeAccessLevel === 30),
  };
}
