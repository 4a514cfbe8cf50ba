import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { Group } from "@/workspace/groups/rules";
import { listGroups } from "@/workspace/groups/service";
import { listUsersWithRole, membersAmong } from "@/workspace/members/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { resourceOf } from "@/workspace/projects/service";
import { LEAST_TO_MERGE, type UserSummary } from "../merge-requests/rules";
import { type ApprovalRule, isEligible, RULES_MAX, type RuleType } from "./rules";
import * as store from "./store";

/** An approval rule, with only the groups that the viewer can see. */
export type ShownRule = Readonly<{
  rule: ApprovalRule;
  /**
   * Those users of the rule and members of its groups who can currently approve; empty for an any-approver
   * rule.
   */
  eligible: readonly UserSummary[];
  users: readonly UserSummary[];
  groups: readonly Group[];
  hasHiddenGroups: boolean;
}>;

/** The maximum number of eligible users that a rule lists. */
const ELIGIBLE_SHOWN_MAX = 1_000;

/**
 * Adds the users, and the groups that the viewer can see, to approval rules. The number of database queries
 * does not depend on the number of rules.
 */
export async function presentRules(
  deps: Deps,
  project: AuthorizedProject,
  rules: readonly ApprovalRule[],
  viewer: User | null,
): Promise<readonly ShownRule[]> {
  const userIds = [...new Set(rules.flatMap((rule) => rule.userIds))];
  const groupIds = [...new Set(rules.flatMap((rule) => rule.groupIds))];
  const candidates = { userIds, groupIds, least: LEAST_TO_MERGE, most: ELIGIBLE_SHOWN_MAX };
  const [eligible, users, visible] = await Promise.all([
    listUsersWithRole(deps, resourceOf(project), candidates),
    store.usersById(deps.reads, userIds),
    visibleGroups(deps, viewer, groupIds),
  ]);
  return rules.map((rule) => ({
    rule,
    eligible:
      rule.ruleType === "any_approver"
        ? []
        : eligible.flatMap(({ user, groupIds: memberOf }) =>
            isEligible(rule, { id: user.id, groupIds: memberOf }) ? [user] : [],
          ),
    users: rule.userIds.flatMap((id) => users.get(id) ?? []),
    groups: rule.groupIds.flatMap((id) => visible.get(id) ?? []),
    hasHiddenGroups: rule.groupIds.some((id) => !visible.has(id)),
  }));
}

/** Of the groups with the given ids, returns the groups that the user can see, with the group id as key. */
async function visibleGroups(
  deps: Deps,
  viewer: User | null,
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, Group>> {
  if (groupIds.length === 0) return new Map();
  const all = { kind: "offset", page: 1, perPage: groupIds.length } as const;
  const { rows } = await listGroups(deps, viewer, { ids: groupIds }, all);
  return new Map(rows.map((group) => [group.id, group]));
}

/**
 * Returns a page of the approval rules of a project.
 * @param ruleType the type of the rules to return; if undefined, rules of all types are returned.
 */
export async function listRules(
  deps: Deps,
  project: AuthorizedProject,
  viewer: User,
  paging: Paging,
  ruleType?: RuleType,
): Promise<Page<ShownRule>> {
  const page = await store.listRules(deps, project.id, paging, ruleType);
  return { ...page, rows: await presentRules(deps, project, page.rows, viewer) };
}

/** Returns an approval rule of a project, or null. */
export async function findRule(
  deps: Deps,
  project: AuthorizedProject,
  viewer: User,
  id: number,
): Promise<ShownRule | null> {
  const rule = await store.findRule(deps.reads, project.id, id);
  if (rule === null) return null;
  const [presented] = await presentRules(deps, project, [rule], viewer);
  return presented ?? null;
}

/** The ids and usernames with which a request selects the users and groups of an approval rule. */
export type RuleApprovers = Readonly<{
  userIds?: readonly number[] | undefined;
  usernames?: readonly string[] | undefined;
  groupIds?: readonly number[] | undefined;
}>;

export type RuleDraft = RuleApprovers &
  Readonly<{ name: string; ruleType: RuleType; approvalsRequired: number }>;

export type RuleRefusal = "taken" | "too_many" | "not_found";

/**
 * Creates an approval rule. Users who are not members of the project, and groups that the creator cannot see, are
 * ignored.
 */
export async function createRule(
  deps: Deps,
  project: AuthorizedProject,
  draft: RuleDraft,
  by: User,
): Promise<ShownRule | RuleRefusal> {
  const { name, ruleType, approvalsRequired } = draft;
  const { userIds = [], groupIds = [] } = await resolveApprovers(deps, project, draft, by, ruleType);
  const created = await writeUnique(() =>
    deps.transaction(async (within) => {
      if ((await store.countRules(within.db, project.id)) >= RULES_MAX) return "too_many";
      const row = { name, ruleType, approvalsRequired, userIds, groupIds };
      const rule = await store.insertRule(within.db, project.id, row);
      await recordAuditEvent(within, "approval_rule.created", project, rule, by);
      return rule;
    }),
  );
  return typeof created === "string" ? created : presentRule(deps, project, created, by);
}

export type RuleChanges = RuleApprovers &
  Readonly<{
    name?: string | undefined;
    approvalsRequired?: number | undefined;
    /** Whether to remove those groups of the rule that the editing user cannot see. */
    removesHiddenGroups?: boolean | undefined;
  }>;

/**
 * Edits an approval rule. If the request contains a list of users or groups, the list replaces the stored
 * list.
 */
export async function changeRule(
  deps: Deps,
  project: AuthorizedProject,
  id: number,
  changes: RuleChanges,
  by: User,
): Promise<ShownRule | RuleRefusal> {
  const before = await store.findRule(deps.reads, project.id, id);
  if (before === null) return "not_found";
  const { userIds, groupIds } = await resolveApprovers(deps, project, changes, by, before.ruleType);
  const visible = await visibleGroups(deps, by, before.groupIds);
  const hidden = before.groupIds.filter((groupId) => !visible.has(groupId));
  const newGroupIds = groupIds ?? (changes.removesHiddenGroups ? [...visible.keys()] : undefined);
  const changed = await writeUnique(() =>
    deps.transaction(async (within) => {
      const rule = await store.updateRule(within.db, project.id, before, {
        ...(changes.name === undefined ? {} : { name: changes.name }),
        ...(changes.approvalsRequired === undefined ? {} : { approvalsRequired: changes.approvalsRequired }),
        ...(userIds === undefined ? {} : { userIds }),
        ...(newGroupIds === undefined
          ? {}
          : {
              groupIds: [...new Set(changes.removesHiddenGroups ? newGroupIds : [...newGroupIds, ...hidden])],
            }),
      });
      if (rule === null) return "not_found";
      await recordAuditEvent(within, "approval_rule.changed", project, rule, by);
      return rule;
    }),
  );
  return typeof changed === "string" ? changed : presentRule(deps, project, changed, by);
}

/** Deletes an approval rule. @returns false if the project has no such rule. */
export const removeRule = (deps: Deps, project: AuthorizedProject, id: number, by: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    const rule = await store.findRule(within.reads, project.id, id);
    if (rule === null || !(await store.removeRule(within.db, project.id, id))) return false;
    await recordAuditEvent(within, "approval_rule.removed", project, rule, by);
    return true;
  });

/**
 * Of the users and groups in a request, returns those that an approval rule may contain. The value is
 * undefined for a list that the request does not contain, and both lists are undefined for an any-approver
 * rule.
 */
async function resolveApprovers(
  deps: Deps,
  project: AuthorizedProject,
  { userIds, usernames, groupIds }: RuleApprovers,
  by: User,
  ruleType: RuleType,
) {
  if (ruleType === "any_approver") return {};
  const hasUsers = userIds !== undefined || usernames !== undefined;
  const references = { userIds: userIds ?? [], usernames: usernames ?? [] };
  return {
    userIds: hasUsers
      ? (await membersAmong(deps, resourceOf(project), references)).map(({ id }) => id)
      : undefined,
    groupIds: groupIds === undefined ? undefined : [...(await visibleGroups(deps, by, groupIds)).keys()],
  };
}

/**
 * Returns those of the usernames that do not belong to members of the project. `createRule` ignores these
 * usernames.
 */
export async function findNonMembers(
  deps: Deps,
  project: AuthorizedProject,
  usernames: readonly string[],
): Promise<readonly string[]> {
  const members = await membersAmong(deps, resourceOf(project), { userIds: [], usernames });
  const memberNames = new Set(members.map(({ usernameLower }) => usernameLower));
  return usernames.filter((username) => !memberNames.has(username.toLowerCase()));
}

/**
 * Runs a function that writes an approval rule.
 * @returns `taken` if the write violates a unique constraint: the name is already in use, or the project
 * already has an any-approver rule.
 */
async function writeUnique<Result>(write: () => Promise<Result>): Promise<Result | "taken"> {
  try {
    return await write();
  } catch (cause) {
    if (isUniqueViolation(cause)) return "taken";
    throw cause;
  }
}

async function presentRule(
  deps: Deps,
  project: AuthorizedProject,
  rule: ApprovalRule,
  viewer: User,
): Promise<ShownRule | RuleRefusal> {
  const [first] = await presentRules(deps, project, [rule], viewer);
  return first ?? "not_found";
}

const recordAuditEvent = (
  deps: Deps,
  name: "approval_rule.created" | "approval_rule.changed" | "approval_rule.removed",
  { id, fullPath }: AuthorizedProject,
  rule: ApprovalRule,
  by: User,
): Promise<void> =>
  audit.record(
    deps,
    name,
    {
      id,
      path: fullPath,
      ruleId: rule.id,
      name: rule.name,
      approvalsRequired: rule.approvalsRequired,
    },
    { userId: by.id },
  );
