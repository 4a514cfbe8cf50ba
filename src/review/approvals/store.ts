import type { Db } from "@/kernel/db/db";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
import type { UserSummary } from "../merge-requests/rules";
import {
  ANY_APPROVER_NAME,
  type Approval,
  type ApprovalConfiguration,
  type ApprovalRule,
  BY_DEFAULT,
  RULE_TYPES,
  type RuleType,
  ruleKey,
} from "./rules";

/** The configuration of a project; null where it has the defaults. */
export async function findConfiguration(db: Db, projectId: number): Promise<ApprovalConfiguration | null> {
  return (await findConfigurations(db, [projectId])).get(projectId) ?? null;
}

export async function findConfigurations(
  db: Db,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, ApprovalConfiguration>> {
  const where = { projectId: { in: [...new Set(projectIds)] } };
  const rows = await db.approvalSetting.findMany({ where });
  return new Map(rows.map(({ projectId, ...configuration }) => [projectId, configuration]));
}

/** Changes what is said, however many do at once. */
export async function change(
  db: Db,
  projectId: number,
  changes: Partial<ApprovalConfiguration>,
): Promise<ApprovalConfiguration> {
  const where = { projectId };
  const create = { ...where, ...BY_DEFAULT, ...changes };
  const { projectId: _, ...configuration } = await db.approvalSetting.upsert({
    where,
    create,
    update: changes,
  });
  return configuration;
}

const userFields = { select: { id: true, username: true, name: true, state: true, admin: true } } as const;

/** An approval with whether whoever gave it is an administrator. */
export type StoredApproval = Approval & Readonly<{ admin: boolean }>;

/** The approvals of several merge requests, the oldest first. */
export async function approvalsOf(
  db: Db,
  mergeRequestIds: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredApproval[]>> {
  const where = { mergeRequestId: { in: [...mergeRequestIds] } };
  const rows = await db.mergeRequestApproval.findMany({
    where,
    include: { user: userFields },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
  });
  const found = new Map<number, StoredApproval[]>(mergeRequestIds.map((id) => [id, []]));
  for (const { mergeRequestId, user, headSha, createdAt } of rows) {
    const { admin, ...rest } = user;
    found.get(mergeRequestId)?.push({
      user: { ...rest, state: rest.state === "active" ? "active" : "blocked" },
      admin,
      headSha,
      approvedAt: createdAt,
    });
  }
  return found;
}

/** A second approval by the same user is for the new head. */
export async function approve(
  db: Db,
  mergeRequestId: number,
  { userId, headSha, now }: Readonly<{ userId: number; headSha: string; now: Date }>,
): Promise<void> {
  await db.mergeRequestApproval.upsert({
    where: { mergeRequestId_userId: { mergeRequestId, userId } },
    create: { mergeRequestId, userId, headSha, createdAt: now },
    update: { headSha, createdAt: now },
  });
}

/** @returns false when they had not approved. */
export async function unapprove(db: Db, mergeRequestId: number, userId: number): Promise<boolean> {
  return (await db.mergeRequestApproval.deleteMany({ where: { mergeRequestId, userId } })).count > 0;
}

export async function removeAll(db: Db, mergeRequestId: number): Promise<void> {
  await db.mergeRequestApproval.deleteMany({ where: { mergeRequestId } });
}

/** The users who have approved, with their e-mail addresses. */
export async function approversOf(
  db: Db,
  mergeRequestId: number,
): Promise<readonly Readonly<{ id: number; email: string }>[]> {
  const where = { mergeRequestId };
  const select = { user: { select: { id: true, email: true } } } as const;
  return (await db.mergeRequestApproval.findMany({ where, select })).map(({ user }) => user);
}

export async function removeOf(db: Db, mergeRequestId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await db.mergeRequestApproval.deleteMany({ where: { mergeRequestId, userId: { in: [...userIds] } } });
}

/** Removes what a user has approved of open merge requests from these branches. */
export async function removeFromBranches(
  db: Db,
  projectId: number,
  branches: readonly string[],
  userId: number,
): Promise<void> {
  const mergeRequest = { projectId, state: "opened", sourceBranch: { in: [...branches] } };
  await db.mergeRequestApproval.deleteMany({ where: { userId, mergeRequest } });
}

const include = {
  users: { select: { userId: true }, orderBy: { userId: "asc" } },
  groups: { select: { groupId: true }, orderBy: { groupId: "asc" } },
} as const;

type RuleRow = Readonly<{
  id: number;
  name: string;
  ruleType: string;
  approvalsRequired: number;
  users: readonly Readonly<{ userId: number }>[];
  groups: readonly Readonly<{ groupId: number }>[];
}>;

const ruleFrom = ({ id, name, ruleType, approvalsRequired, users, groups }: RuleRow): ApprovalRule => ({
  id,
  name,
  ruleType: RULE_TYPES.find((type) => type === ruleType) ?? "regular",
  approvalsRequired,
  userIds: users.map(({ userId }) => userId),
  groupIds: groups.map(({ groupId }) => groupId),
});

/** The rules of several projects, each by its project, in the order of their ids. */
export async function rulesOf(
  db: Db,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ApprovalRule[]>> {
  const where = { projectId: { in: [...new Set(projectIds)] } };
  const rows = await db.approvalRule.findMany({ where, include, orderBy: { id: "asc" } });
  const found = new Map<number, ApprovalRule[]>(projectIds.map((id) => [id, []]));
  for (const row of rows) found.get(row.projectId)?.push(ruleFrom(row));
  return found;
}

export function listRules(
  db: Db,
  projectId: number,
  paging: Paging,
  ruleType?: RuleType,
): Promise<Page<ApprovalRule>> {
  const where = { projectId, ...keysetFilterOf(paging), ...(ruleType === undefined ? {} : { ruleType }) };
  const order = directionOf(paging);
  const read = async () => {
    const rows = await db.approvalRule.findMany({
      where,
      include,
      orderBy: { id: order },
      ...windowOf(paging),
    });
    return rows.map(ruleFrom);
  };
  return pageFrom(paging, read(), () => db.approvalRule.count({ where, take: COUNTED_MAX + 1 }));
}

export async function findRule(db: Db, projectId: number, id: number): Promise<ApprovalRule | null> {
  const row = await db.approvalRule.findUnique({ where: { id, projectId }, include });
  return row && ruleFrom(row);
}

export const countRules = (db: Db, projectId: number): Promise<number> =>
  db.approvalRule.count({ where: { projectId } });

/** Raises P2002 where the project has a rule of that name, or another one for any approver. */
export async function insertRule(
  db: Db,
  projectId: number,
  { userIds, groupIds, ...rule }: Omit<ApprovalRule, "id">,
): Promise<ApprovalRule> {
  const row = await db.approvalRule.create({
    data: {
      ...rule,
      projectId,
      key: ruleKey(rule),
      users: { createMany: { data: userIds.map((userId) => ({ userId })) } },
      groups: { createMany: { data: groupIds.map((groupId) => ({ groupId })) } },
    },
    include,
  });
  return ruleFrom(row);
}

/**
 * Changes a rule; the lists that are given take the place of those that were.
 * @returns null where it is gone. Raises P2002 where the project has another one of that name.
 */
export async function updateRule(
  db: Db,
  projectId: number,
  { id, ruleType }: Pick<ApprovalRule, "id" | "ruleType">,
  { userIds, groupIds, name, approvalsRequired }: Partial<ApprovalRule>,
): Promise<ApprovalRule | null> {
  const { count } = await db.approvalRule.updateMany({
    where: { id, projectId },
    data: {
      // Without anything to write, SQLite would count no row.
      ruleType,
      ...(name === undefined ? {} : { name, key: ruleKey({ ruleType, name }) }),
      ...(approvalsRequired === undefined ? {} : { approvalsRequired }),
    },
  });
  if (count === 0) return null;
  if (userIds !== undefined) {
    await db.approvalRuleUser.deleteMany({ where: { ruleId: id } });
    await db.approvalRuleUser.createMany({ data: userIds.map((userId) => ({ ruleId: id, userId })) });
  }
  if (groupIds !== undefined) {
    await db.approvalRuleGroup.deleteMany({ where: { ruleId: id } });
    await db.approvalRuleGroup.createMany({ data: groupIds.map((groupId) => ({ ruleId: id, groupId })) });
  }
  return findRule(db, projectId, id);
}

/** @returns false where there was none. */
export async function removeRule(db: Db, projectId: number, id: number): Promise<boolean> {
  return (await db.approvalRule.deleteMany({ where: { id, projectId } })).count > 0;
}

const anyApprover = { ruleType: "any_approver", name: ANY_APPROVER_NAME } as const;

/** How many approvals of anybody a project asks for: that is its rule for any approver. */
export async function approvalsRequiredIn(db: Db, projectId: number): Promise<number> {
  const where = { projectId_key: { projectId, key: ruleKey(anyApprover) } };
  return (await db.approvalRule.findUnique({ where }))?.approvalsRequired ?? 0;
}

/** Makes that rule where there is none. */
export async function requireApprovals(db: Db, projectId: number, approvalsRequired: number): Promise<void> {
  const key = ruleKey(anyApprover);
  await db.approvalRule.upsert({
    where: { projectId_key: { projectId, key } },
    create: { ...anyApprover, projectId, key, approvalsRequired },
    update: { approvalsRequired },
  });
}

/** The people with these ids. */
export async function usersById(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, UserSummary>> {
  const { id, username, name, state } = userFields.select;
  const select = { id, username, name, state };
  const rows = await db.user.findMany({ where: { id: { in: [...userIds] } }, select });
  return new Map(
    rows.map((row) => [row.id, { ...row, state: row.state === "active" ? "active" : "blocked" }]),
  );
}
