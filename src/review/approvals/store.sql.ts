import { flag, integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";

const SETTING_COLUMNS = {
  projectId: [`s."projectId"`, integer],
  resetOnPush: [`s."resetOnPush"`, flag],
  selectiveOwnerRemovals: [`s."selectiveOwnerRemovals"`, flag],
  overridingDisabled: [`s."overridingDisabled"`, flag],
  authorApproval: [`s."authorApproval"`, flag],
  committersApprovalRefused: [`s."committersApprovalRefused"`, flag],
  passwordRequired: [`s."passwordRequired"`, flag],
} as const;

const SETTINGS = statement({
  name: "approval_settings",
  parameters: { projectIds: integers },
  columns: SETTING_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "ApprovalSetting" s WHERE ${isIn(`s."projectId"`, ":projectIds")}`,
  ),
});

/** Returns the stored approval settings of projects. Projects without stored settings have no row. */
export const listSettings = (
  reads: Reads,
  projectIds: readonly number[],
): Eventually<readonly RowOf<typeof SETTING_COLUMNS>[]> => reads.all(SETTINGS, { projectIds });

const USER_COLUMNS = {
  id: [`u."id"`, integer],
  username: [`u."username"`, text],
  name: [`u."name"`, text],
  state: [`u."state"`, text],
  avatarDigest: [`u."avatarDigest"`, nullable(text)],
} as const;

const APPROVAL_COLUMNS = {
  mergeRequestId: [`a."mergeRequestId"`, integer],
  headSha: [`a."headSha"`, text],
  createdAt: [`a."createdAt"`, time],
  user: { ...USER_COLUMNS, admin: [`u."admin"`, flag] },
} as const;

const APPROVALS = statement({
  name: "approvals",
  parameters: { mergeRequestIds: integers },
  columns: APPROVAL_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "MergeRequestApproval" a JOIN "User" u ON u."id" = a."userId"
    WHERE ${isIn(`a."mergeRequestId"`, ":mergeRequestIds")} ORDER BY a."createdAt", a."userId"`,
  ),
});

/** Returns the approvals of merge requests with their approvers, oldest first. */
export const listApprovals = (
  reads: Reads,
  mergeRequestIds: readonly number[],
): Eventually<readonly RowOf<typeof APPROVAL_COLUMNS>[]> => reads.all(APPROVALS, { mergeRequestIds });

const RULE_COLUMNS = {
  id: [`r."id"`, integer],
  projectId: [`r."projectId"`, integer],
  name: [`r."name"`, text],
  ruleType: [`r."ruleType"`, text],
  approvalsRequired: [`r."approvalsRequired"`, integer],
} as const;

const RULES = statement({
  name: "approval_rules",
  parameters: { projectIds: integers },
  columns: RULE_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "ApprovalRule" r WHERE ${isIn(`r."projectId"`, ":projectIds")} ORDER BY r."id"`,
  ),
});

const RULES_BY_ID = statement({
  name: "approval_rules_by_id",
  parameters: { ids: integers },
  columns: RULE_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "ApprovalRule" r WHERE ${isIn(`r."id"`, ":ids")}`),
});

const rulesOfProject = (name: string, condition: string) =>
  listStatements({
    name,
    parameters: { projectId: integer, ruleType: text },
    from: () => `"ApprovalRule" r WHERE r."projectId" = :projectId${condition}`,
    order: `r."id"`,
  });

/** The approval rules of a project with any type or with one type, ordered by id. */
export const RULES_OF_PROJECT = {
  any: rulesOfProject("approval_rules_of_project", ""),
  one: rulesOfProject("approval_rules_of_project_and_type", ` AND r."ruleType" = :ruleType`),
} as const;

const APPROVALS_REQUIRED = statement({
  name: "approvals_required_by_rule",
  parameters: { projectId: integer, key: text },
  columns: { approvalsRequired: [`r."approvalsRequired"`, integer] },
  sql: (columns) => `
    SELECT ${columns} FROM "ApprovalRule" r WHERE r."projectId" = :projectId AND r."key" = :key`,
});

/** Returns the number of approvals that the rule with this key requires; 0 if the project has no such rule. */
export async function approvalsRequiredBy(reads: Reads, projectId: number, key: string): Promise<number> {
  return (await reads.first(APPROVALS_REQUIRED, { projectId, key }))?.approvalsRequired ?? 0;
}

const APPROVER_COLUMNS = {
  ruleId: [`l."ruleId"`, integer],
  userId: [`l."userId"`, nullable(integer)],
  groupId: [`l."groupId"`, nullable(integer)],
} as const;

const APPROVERS = statement({
  name: "approval_rule_approvers",
  parameters: { ruleIds: integers },
  columns: APPROVER_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM (
      SELECT l."ruleId", l."userId", NULL AS "groupId" FROM "ApprovalRuleUser" l
      WHERE ${isIn(`l."ruleId"`, ":ruleIds")}
      UNION ALL
      SELECT l."ruleId", NULL, l."groupId" FROM "ApprovalRuleGroup" l
      WHERE ${isIn(`l."ruleId"`, ":ruleIds")}) l
    ORDER BY l."userId", l."groupId"`,
  ),
});

const RULE_USERS = statement({
  name: "users_of_approval_rules",
  parameters: { userIds: integers },
  columns: USER_COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "User" u WHERE ${isIn(`u."id"`, ":userIds")}`),
});

/** Returns the users with these ids, in any order. */
export const listUsers = (
  reads: Reads,
  userIds: readonly number[],
): Eventually<readonly RowOf<typeof USER_COLUMNS>[]> => reads.all(RULE_USERS, { userIds });

/** Returns the approval rules of projects, ordered by rule id, with their users and groups. */
export const listRules = async (reads: Reads, projectIds: readonly number[]) =>
  withApprovers(reads, await reads.all(RULES, { projectIds }));

/** Returns the approval rules with these ids, in any order, with their users and groups. */
export const findRules = async (reads: Reads, ids: readonly number[]) =>
  withApprovers(reads, await reads.all(RULES_BY_ID, { ids }));

async function withApprovers(reads: Reads, rules: readonly RowOf<typeof RULE_COLUMNS>[]) {
  const approvers =
    rules.length === 0 ? [] : await reads.all(APPROVERS, { ruleIds: rules.map(({ id }) => id) });
  return rules.map((rule) => {
    const ofRule = approvers.filter(({ ruleId }) => ruleId === rule.id);
    return {
      ...rule,
      users: ofRule.flatMap(({ userId }) => (userId === null ? [] : [{ userId }])),
      groups: ofRule.flatMap(({ groupId }) => (groupId === null ? [] : [{ groupId }])),
    };
  });
}
