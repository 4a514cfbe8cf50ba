import { ROLES, type Role, reaches } from "@/access/roles";

/** Access levels that a rule can ask for: the number of the least role, or 0 for nobody. */
export const ACCESS_LEVELS = [0, 30, 40] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** How the GitLab API describes access levels. */
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

/** A rule that protects the branch with its name, or every branch that its wildcard matches. */
export type ProtectedBranch = Protection & Readonly<{ id: number; name: string }>;

/** How the default branch of a new project is protected, and a branch for which nothing else is said. */
export const DEFAULT_PROTECTION: Protection = {
  pushAccessLevel: 40,
  mergeAccessLevel: 40,
  allowForcePush: false,
};

/** Users of this role and above delete protected branches through the API, and push first to an empty repository. */
export const LEAST_TO_ADMINISTER: Role = "maintainer";

/** Every push and every list of branches reads all rules of a project. */
export const PROTECTED_BRANCHES_MAX = 100;

/** The hook matches wildcards by backtracking, whose time grows with each further one. */
export const WILDCARDS_MAX = 3;

/** Whether a rule with this name is for a branch. `*` stands for any characters, slashes included. */
export function matchesBranch(name: string, branch: string): boolean {
  const [first = "", ...rest] = name.split("*");
  const last = rest.pop();
  if (last === undefined) return name === branch;
  if (!branch.startsWith(first) || !branch.endsWith(last)) return false;
  // Each part is taken at its first occurrence, which leaves the most for the parts that follow.
  let at = first.length;
  for (const part of rest) {
    const found = branch.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= branch.length;
}

/** What a user may do with a branch. */
export type BranchRights = Readonly<{
  isProtected: boolean;
  mayPush: boolean;
  /** Merging a merge request into it; who may push may merge, too. */
  mayMerge: boolean;
  mayForcePush: boolean;
  /** Deleting it through the API; a push never deletes a protected branch. */
  mayDelete: boolean;
  developersCanPush: boolean;
  developersCanMerge: boolean;
}>;

/** Whether a role is enough for an access level; nobody has access at level 0, administrators included. */
export const hasAccess = (role: Role | null, level: AccessLevel): boolean =>
  level !== 0 && role !== null && ROLES[role].level >= level;

/** The rights of a user with this role. Where several rules match a branch, the most permissive one counts. */
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
