import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { Group } from "@/workspace/groups/rules";
import { listGroups } from "@/workspace/groups/service";
import { listUsersWithRole, membersAmong } from "@/workspace/members/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { placeOf } from "@/workspace/projects/service";
import { LEAST_TO_MERGE, type UserSummary } from "../merge-requests/rules";
import { type ApprovalRule, isEligible, RULES_MAX, type RuleType } from "./rules";
import * as store from "./store";

/** A rule as a viewer sees it: with those of its groups that are visible to the viewer. */
export type ShownRule = Readonly<{
  rule: ApprovalRule;
  /** Who of its people and of the members of its groups may approve now; nobody in particular for any approver. */
  eligible: readonly UserSummary[];
  users: readonly UserSummary[];
  groups: readonly Group[];
  hasHiddenGroups: boolean;
}>;

/** Further eligible users are not listed. */
const ELIGIBLE_SHOWN_MAX = 1_000;

/** Several rules of a project with their people and groups: as many queries for all of them as for one. */
export async function presentRules(
  deps: Deps,
  project: AuthorizedProject,
  rules: readonly ApprovalRule[],
  viewer: User | null,
): Promise<readonly ShownRule[]> {
  const userIds = [...new Set(rules.flatMap((rule) => rule.userIds))];
  const groupIds = [...new Set(rules.flatMap((rule) => rule.groupIds))];
  const candidates = { userIds, groupIds, least: LEAST_TO_MERGE, most: ELIGIBLE_SHOWN_MAX };
  const [able, users, visible] = await Promise.all([
    listUsersWithRole(deps, placeOf(project), candidates),
    store.usersById(deps.db, userIds),
    visibleGroups(deps, viewer, groupIds),
  ]);
  return rules.map((rule) => ({
    rule,
    eligible:
      rule.ruleType === "any_approver"
        ? []
        : able.flatMap(({ user, groupIds: among }) =>
            isEligible(rule, { id: user.id, groupIds: among }) ? [user] : [],
          ),
    users: rule.userIds.flatMap((id) => users.get(id) ?? []),
    groups: rule.groupIds.flatMap((id) => visible.get(id) ?? []),
    hasHiddenGroups: rule.groupIds.some((id) => !visible.has(id)),
  }));
}

/** The groups with these ids that are visible to a user, by their ids. */
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

/** A part of the rules of a project, of one type if one is given. */
export async function listRules(
  deps: Deps,
  project: AuthorizedProject,
  viewer: User,
  paging: Paging,
  ruleType?: RuleType,
): Promise<Page<ShownRule>> {
  const page = await store.listRules(deps.db, project.id, paging, ruleType);
  return { ...page, rows: await presentRules(deps, project, page.rows, viewer) };
}

/** A rule of a project, or null. */
export async function findRule(
  deps: Deps,
  project: AuthorizedProject,
  viewer: User,
  id: number,
): Promise<ShownRule | null> {
  const rule = await store.findRule(deps.db, project.id, id);
  if (rule === null) return null;
  const [one] = await presentRules(deps, project, [rule], viewer);
  return one ?? null;
}

/** The users and groups of a rule, as a client names them. */
export type RuleApprovers = Readonly<{
  userIds?: readonly number[] | undefined;
  usernames?: readonly string[] | undefined;
  groupIds?: readonly number[] | undefined;
}>;

export type RuleDraft = RuleApprovers &
  Readonly<{ name: string; ruleType: RuleType; approvalsRequired: number }>;

export type RuleRefusal = "taken" | "too_many" | "not_found";

/** Makes a rule. Whoever is no member of the project, and a group that its maker does not see, is left out. */
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
  return typeof created === "string" ? created : one(deps, project, created, by);
}

export type RuleChanges = RuleApprovers &
  Readonly<{
    name?: string | undefined;
    approvalsRequired?: number | undefined;
    /** Whether groups that whoever changes it does not see are taken away, too. */
    removesHiddenGroups?: boolean | undefined;
  }>;

/** Changes a rule; people and groups that are named take the place of those that were. */
export async function changeRule(
  deps: Deps,
  project: AuthorizedProject,
  id: number,
  changes: RuleChanges,
  by: User,
): Promise<ShownRule | RuleRefusal> {
  const before = await store.findRule(deps.db, project.id, id);
  if (before === null) return "not_found";
  const { userIds, groupIds } = await resolveApprovers(deps, project, changes, by, before.ruleType);
  const visible = await visibleGroups(deps, by, before.groupIds);
  const kept = before.groupIds.filter((one) => !visible.has(one));
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
              groupIds: [...new Set(changes.removesHiddenGroups ? newGroupIds : [...newGroupIds, ...kept])],
            }),
      });
      if (rule === null) return "not_found";
      await recordAuditEvent(within, "approval_rule.changed", project, rule, by);
      return rule;
    }),
  );
  return typeof changed === "string" ? changed : one(deps, project, changed, by);
}

/** @returns false where the project has no such rule. */
export const removeRule = (deps: Deps, project: AuthorizedProject, id: number, by: User): Promise<boolean> =>
  deps.transaction(async (within) => {
    const rule = await store.findRule(within.db, project.id, id);
    if (rule === null || !(await store.removeRule(within.db, project.id, id))) return false;
    await recordAuditEvent(within, "approval_rule.removed", project, rule, by);
    return true;
  });

/** Those named who can be in a rule; undefined where nothing is newGroupIds of them. A rule for any approver names nobody. */
async function resolveApprovers(
  deps: Deps,
  project: AuthorizedProject,
  { userIds, usernames, groupIds }: RuleApprovers,
  by: User,
  ruleType: RuleType,
) {
  if (ruleType === "any_approver") return {};
  const isSaid = userIds !== undefined || usernames !== undefined;
  const named = { userIds: userIds ?? [], usernames: usernames ?? [] };
  return {
    userIds: isSaid ? (await membersAmong(deps, placeOf(project), named)).map(({ id }) => id) : undefined,
    groupIds: groupIds === undefined ? undefined : [...(await visibleGroups(deps, by, groupIds)).keys()],
  };
}

/** Those of these usernames that no member of the project has: a rule would be created without them. */
export async function findNonMembers(
  deps: Deps,
  project: AuthorizedProject,
  usernames: readonly string[],
): Promise<readonly string[]> {
  const members = await membersAmong(deps, placeOf(project), { userIds: [], usernames });
  const known = new Set(members.map(({ usernameLower }) => usernameLower));
  return usernames.filter((username) => !known.has(username.toLowerCase()));
}

/** Two rules of one name, or two for any approver, are refused by the database, however they came. */
async function writeUnique<Result>(write: () => Promise<Result>): Promise<Result | "taken"> {
  try {
    return await write();
  } catch (cause) {
    if (isUniqueViolation(cause)) return "taken";
    throw cause;
  }
}

async function one(
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
