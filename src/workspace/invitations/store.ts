import { ROLES, type Role, roleOf } from "@/access/roles";
import type { Db } from "@/kernel/db/db";
import type { Invitation as InvitationRow } from "@/kernel/db/generated/sqlite/client";
import type { Invitation, InvitationTarget } from "./rules";

const include = { invitedBy: { select: { name: true } } } as const;

const invitationFrom = (
  row: InvitationRow & Readonly<{ invitedBy: Readonly<{ name: string }> }>,
): Invitation => ({
  id: row.id,
  email: row.email,
  groupId: row.groupId,
  projectId: row.projectId,
  role: row.role === null ? null : roleOf([row.role]),
  membershipExpiresAt: row.membershipExpiresAt,
  invitedById: row.invitedById,
  invitedByName: row.invitedBy.name,
  createdAt: row.createdAt,
  sentAt: row.sentAt,
  expiresAt: row.expiresAt,
});

/** Returns the condition for the invitations to a target. */
const targetColumns = (target: InvitationTarget) => ({
  groupId: target.kind === "group" ? target.id : null,
  projectId: target.kind === "project" ? target.id : null,
});

export type NewInvitation = Readonly<{
  key: string;
  email: string;
  target: InvitationTarget;
  role: Role | null;
  membershipExpiresAt: Date | null;
  invitedById: number;
  createdAt: Date;
  sentAt: Date;
  expiresAt: Date;
}>;

/** @throws P2002 if the target already has an invitation for the e-mail address. */
export async function insert(db: Db, { target, role, ...invitation }: NewInvitation): Promise<Invitation> {
  const level = role === null ? null : ROLES[role].level;
  const data = { ...invitation, ...targetColumns(target), role: level };
  return invitationFrom(await db.invitation.create({ data, include }));
}

export async function find(db: Db, id: number): Promise<Invitation | null> {
  const row = await db.invitation.findUnique({ where: { id }, include });
  return row && invitationFrom(row);
}

/** Returns the first pending invitations to a target, newest first. */
export async function list(db: Db, target: InvitationTarget, most: number): Promise<readonly Invitation[]> {
  const where = targetColumns(target);
  const rows = await db.invitation.findMany({ where, include, orderBy: { id: "desc" }, take: most });
  return rows.map(invitationFrom);
}

/** Stores the time of a new link, with which earlier links become invalid. */
export async function renew(
  db: Db,
  id: number,
  times: Readonly<{ sentAt: Date; expiresAt: Date }>,
): Promise<boolean> {
  return (await db.invitation.updateMany({ where: { id }, data: times })).count === 1;
}

/**
 * Deletes an invitation.
 * @param sentAt if given, the time of the link with which the invitation is accepted.
 * @returns true for exactly one of several simultaneous callers.
 */
export async function remove(db: Db, id: number, sentAt?: Date): Promise<boolean> {
  const where = { id, ...(sentAt === undefined ? {} : { sentAt }) };
  return (await db.invitation.deleteMany({ where })).count === 1;
}

/** Deletes an expired invitation with this key, so that the e-mail address can be invited again. */
export async function removeExpired(db: Db, key: string, now: Date): Promise<void> {
  await db.invitation.deleteMany({ where: { key, expiresAt: { lte: now } } });
}
