import { ROLES, type Role, roleOf } from "@/access/roles";
import type { Db } from "@/kernel/db/db";
import type { Invitation as InvitationRow } from "@/kernel/db/generated/sqlite/client";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageFrom,
  windowOf,
} from "@/kernel/paging/paging";
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

/** Returns the query condition that selects the invitations to a target. */
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

/** Returns the newest pending invitations to a target, newest first. */
export async function list(db: Db, target: InvitationTarget, most: number): Promise<readonly Invitation[]> {
  const where = targetColumns(target);
  const rows = await db.invitation.findMany({ where, include, orderBy: { id: "desc" }, take: most });
  return rows.map(invitationFrom);
}

/** Returns the invitation with this key, or null. */
export async function findByKey(db: Db, key: string): Promise<Invitation | null> {
  const row = await db.invitation.findUnique({ where: { key }, include });
  return row && invitationFrom(row);
}

/**
 * Returns a page of the pending invitations to a target, newest first.
 * @param key if given, the page contains only the invitation with this key.
 */
export function listPage(
  db: Db,
  { target, key }: Readonly<{ target: InvitationTarget; key: string | null }>,
  paging: Paging,
): Promise<Page<Invitation>> {
  const where = { ...targetColumns(target), ...(key === null ? {} : { key }) };
  const query = {
    where: { ...where, ...keysetFilterOf(paging) },
    orderBy: { id: directionOf(paging, true) },
    ...windowOf(paging),
  };
  return pageFrom(
    paging,
    db.invitation.findMany({ ...query, include }).then((rows) => rows.map(invitationFrom)),
    () => db.invitation.count({ where, take: COUNTED_MAX + 1 }),
  );
}

export type InvitationChange = Readonly<{
  role: Role;
  membershipExpiresAt: Date | null;
  invitedById: number;
}>;

/**
 * Changes the role and the expiry date of an invitation.
 * @returns the changed invitation; null if the invitation no longer exists.
 */
export async function update(
  db: Db,
  id: number,
  { role, ...terms }: InvitationChange,
): Promise<Invitation | null> {
  const data = { ...terms, role: ROLES[role].level };
  const { count } = await db.invitation.updateMany({ where: { id }, data });
  return count === 1 ? find(db, id) : null;
}

/**
 * Stores the time of the newest link of an invitation, which makes earlier links of the invitation invalid.
 */
export async function renew(
  db: Db,
  id: number,
  times: Readonly<{ sentAt: Date; expiresAt: Date }>,
): Promise<boolean> {
  return (await db.invitation.updateMany({ where: { id }, data: times })).count === 1;
}

/**
 * Deletes an invitation.
 * @param sentAt if given, the invitation is deleted only if its newest link was sent at this time.
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
