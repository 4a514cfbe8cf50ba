import type { Db } from "@/platform/db/db";
import { type Approval, type ApprovalConfiguration, BY_DEFAULT } from "./rules";

/** What is said of a project; null where nobody has said anything. */
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

const person = { select: { id: true, username: true, name: true, state: true } } as const;

/** The approvals of several merge requests, the oldest first. */
export async function approvalsOf(
  db: Db,
  mergeRequestIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Approval[]>> {
  const where = { mergeRequestId: { in: [...mergeRequestIds] } };
  const rows = await db.mergeRequestApproval.findMany({
    where,
    include: { user: person },
    orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
  });
  const found = new Map<number, Approval[]>(mergeRequestIds.map((id) => [id, []]));
  for (const { mergeRequestId, user, headSha, createdAt } of rows)
    found.get(mergeRequestId)?.push({
      user: { ...user, state: user.state === "active" ? "active" : "blocked" },
      headSha,
      approvedAt: createdAt,
    });
  return found;
}

/** Who approves again approves what is there now. */
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
