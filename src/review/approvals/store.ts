import { userStateOf } from "@/access/principal";
import type { Db, Queries } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Reads } from "@/kernel/db/prepared";
import { pageOfList } from "@/kernel/paging/list-statements";
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
import * as sql from "./store.sql";

/** Returns the approval settings of a project; null if the project uses the defaults. */
export async function findConfiguration(
  reads: Reads,
  projectId: number,
): Promise<ApprovalConfiguration | null> {
  return (await findConfigurations(reads, [projectId])).get(projectId) ?? null;
}

export async function findConfigurations(
  reads: Reads,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, ApprovalConfiguration>> {
  const rows = await sql.listSettings(reads, projectIds);
  return new Map(rows.map(({ projectId, ...configuration }) => [projectId, configuration]));
}

/**
 * Creates or updates the approval settings of a project in one statement. Settings whose value is undefined
 * stay unchanged. The update is never empty, because Prisma would then use several statements.
 */
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
    update: { ...where, ...changes },
  });
  return configuration;
}

/** An approval, and whether the approver is an administrator. */
export type StoredApproval = Approval & Readonly<{ admin: boolean }>;

/** Returns the approvals of merge requests, oldest first, with the merge request id as key. */
export async function approvalsOf(
  reads: Reads,
  mergeRequestIds: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredApproval[]>> {
  const rows = await sql.listApprovals(reads, mergeRequestIds);
  const approvals = new Map<number, StoredApproval[]>(mergeRequestIds.map((id) => [id, []]));
  for (const { mergeRequestId, user, headSha, createdAt } of rows) {
    const { admin, ...rest } = user;
    approvals.get(mergeRequestId)?.push({
      user: { ...rest, state: userStateOf(rest.state) },
      admin,
      headSha,
      approvedAt: createdAt,
    });
  }
  return approvals;
}

/**
 * Stores an approval. If the user has already approved an earlier head, the head in the stored approval is
 * replaced.
 */
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

/** Deletes the approval of a user. @returns false if the user has not approved the merge request. */
export async function unapprove(db: Db, mergeRequestId: number, userId: number): Promise<boolean> {
  return (await db.mergeRequestApproval.deleteMany({ where: { mergeRequestId, userId } })).count > 0;
}

/** An approval that was removed, with the approver and the id of the approved head commit. */
export type RemovedApproval = Readonly<{ iid: number; userId: number; username: string; commit: string }>;

/**
 * Deletes approvals, oldest first. Approvals that other transactions commit while the function runs
 * are deleted as well.
 * @returns the deleted approvals, each with the approved head that the row contained when it was deleted.
 */
async function remove(db: Db, where: Prisma.MergeRequestApprovalWhereInput): Promise<RemovedApproval[]> {
  const removed: RemovedApproval[] = [];
  for (;;) {
    const rows = await db.mergeRequestApproval.findMany({
      where,
      select: {
        mergeRequestId: true,
        headSha: true,
        user: { select: { id: true, username: true } },
        mergeRequest: { select: { iid: true } },
      },
      orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    });
    if (rows.length === 0) return removed;
    for (const { mergeRequestId, headSha, user, mergeRequest } of rows) {
      const listed = { mergeRequestId, userId: user.id, headSha };
      const { count } = await db.mergeRequestApproval.deleteMany({ where: listed });
      if (count > 0)
        removed.push({ iid: mergeRequest.iid, userId: user.id, username: user.username, commit: headSha });
    }
  }
}

/** Deletes all approvals of a merge request. */
export const removeAll = (db: Db, mergeRequestId: number): Promise<readonly RemovedApproval[]> =>
  remove(db, { mergeRequestId });

/** Returns the users who have approved a merge request, with the e-mail address of each user. */
export async function approversOf(
  db: Db,
  mergeRequestId: number,
): Promise<readonly Readonly<{ id: number; email: string }>[]> {
  const where = { mergeRequestId };
  const select = { user: { select: { id: true, email: true } } } as const;
  return (await db.mergeRequestApproval.findMany({ where, select })).map(({ user }) => user);
}

/** Deletes the approvals that these users have given to a merge request. */
export const removeOf = async (
  db: Db,
  mergeRequestId: number,
  userIds: readonly number[],
): Promise<readonly RemovedApproval[]> =>
  userIds.length === 0 ? [] : remove(db, { mergeRequestId, userId: { in: [...userIds] } });

/** Deletes the approvals that a user has given to open merge requests with these source branches. */
export const removeFromBranches = (
  db: Db,
  projectId: number,
  branches: readonly string[],
  userId: number,
): Promise<readonly RemovedApproval[]> =>
  remove(db, {
    userId,
    mergeRequest: { projectId, state: "opened", sourceBranch: { in: [...branches] } },
  });

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

/** Returns the approval rules of projects, ordered by rule id, with the project id as key. */
export async function rulesOf(
  reads: Reads,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ApprovalRule[]>> {
  const rows = await sql.listRules(reads, projectIds);
  const rules = new Map<number, ApprovalRule[]>(projectIds.map((id) => [id, []]));
  for (const row of rows) rules.get(row.projectId)?.push(ruleFrom(row));
  return rules;
}

export function listRules(
  { db, reads }: Queries,
  projectId: number,
  paging: Paging,
  ruleType?: RuleType,
): Promise<Page<ApprovalRule>> {
  if (paging.kind === "offset") {
    const list = sql.RULES_OF_PROJECT[ruleType === undefined ? "any" : "one"];
    return pageOfList(reads, list, { projectId, ruleType: ruleType ?? "" }, paging, async (ids) =>
      (await sql.findRules(reads, ids)).map(ruleFrom),
    );
  }
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

export async function findRule(reads: Reads, projectId: number, id: number): Promise<ApprovalRule | null> {
  const [row] = await sql.findRules(reads, [id]);
  return row === undefined || row.projectId !== projectId ? null : ruleFrom(row);
}

export const countRules = (db: Db, projectId: number): Promise<number> =>
  db.approvalRule.count({ where: { projectId } });

/**
 * Inserts an approval rule.
 * @throws P2002 if the project already has a rule with this name, or already has an any-approver rule.
 */
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
 * Updates an approval rule. A list of users or groups replaces the stored list; if the list is undefined, the
 * stored list stays unchanged.
 * @returns null if the rule does not exist.
 * @throws P2002 if another rule of the project has this name.
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
      // The update always sets the column `ruleType`, because SQLite reports no changed row for an update
      // that sets no columns.
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
  const row = await db.approvalRule.findUnique({ where: { id, projectId }, include });
  return row && ruleFrom(row);
}

/** Deletes an approval rule. @returns false if the project has no such rule. */
export async function removeRule(db: Db, projectId: number, id: number): Promise<boolean> {
  return (await db.approvalRule.deleteMany({ where: { id, projectId } })).count > 0;
}

const anyApprover = { ruleType: "any_approver", name: ANY_APPROVER_NAME } as const;

/** Returns the number of approvals that the any-approver rule requires; 0 if the project has no such rule. */
export const approvalsRequiredIn = (reads: Reads, projectId: number): Promise<number> =>
  sql.approvalsRequiredBy(reads, projectId, ruleKey(anyApprover));

/** Creates or updates the any-approver rule of a project. */
export async function requireApprovals(db: Db, projectId: number, approvalsRequired: number): Promise<void> {
  const key = ruleKey(anyApprover);
  await db.approvalRule.upsert({
    where: { projectId_key: { projectId, key } },
    create: { ...anyApprover, projectId, key, approvalsRequired },
    update: { approvalsRequired },
  });
}

/** Returns the users with these ids, with the user id as key. */
export async function usersById(
  reads: Reads,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, UserSummary>> {
  const rows = await sql.listUsers(reads, userIds);
  return new Map(rows.map((row) => [row.id, { ...row, state: userStateOf(row.state) }]));
}

/**
 * Assigns at most `most` approvals to another user. An approval is deleted if `to` is null, or if the user
 * `to` has already approved the merge request.
 * @returns the number of assigned or deleted approvals.
 */
export async function releaseSomeApprovals(
  db: Db,
  from: number,
  to: number | null,
  most: number,
): Promise<number> {
  const table = db.mergeRequestApproval;
  const rows = await table.findMany({
    where: { userId: from },
    select: { mergeRequestId: true },
    take: most,
  });
  const ids = rows.map(({ mergeRequestId }) => mergeRequestId);
  if (to !== null) {
    const approved = await table.findMany({
      where: { userId: to, mergeRequestId: { in: ids } },
      select: { mergeRequestId: true },
    });
    const others = new Set(approved.map(({ mergeRequestId }) => mergeRequestId));
    const moved = ids.filter((id) => !others.has(id));
    await table.updateMany({ where: { userId: from, mergeRequestId: { in: moved } }, data: { userId: to } });
  }
  await table.deleteMany({ where: { userId: from, mergeRequestId: { in: ids } } });
  return ids.length;
}
