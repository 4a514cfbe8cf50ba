import { ROLES, type Role, roleOf } from "@/access/roles";
import type { Db } from "@/kernel/db/db";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import { memberFrom } from "./row";
import type { Member, ProjectOrGroup } from "./rules";
import * as sql from "./store.sql";

/** Returns the direct membership of a user in a project or a group, or null. */
export async function find(reads: Reads, resource: ProjectOrGroup, userId: number): Promise<Member | null> {
  const row = await sql.find(reads, resource, userId);
  return row && memberFrom(row);
}

type NewMember = Readonly<{ userId: number; role: Role; expiresAt: Date | null; createdAt: Date }>;

/** Inserts a direct membership. @throws P2002 if the user is already a direct member. */
export async function insert(
  db: Db,
  resource: ProjectOrGroup,
  { role, ...member }: NewMember,
): Promise<void> {
  const data = { ...member, role: ROLES[role].level };
  if (resource.kind === "project")
    await db.projectMember.create({ data: { ...data, projectId: resource.id } });
  else await db.groupMember.create({ data: { ...data, groupId: resource.id } });
}

/** Deletes an expired direct membership, so that the user can be added again. */
export async function removeEnded(
  db: Db,
  resource: ProjectOrGroup,
  userId: number,
  now: Date,
): Promise<void> {
  const ended = { userId, expiresAt: { lte: now } };
  if (resource.kind === "project")
    await db.projectMember.deleteMany({ where: { ...ended, projectId: resource.id } });
  else await db.groupMember.deleteMany({ where: { ...ended, groupId: resource.id } });
}

export async function update(
  db: Db,
  resource: ProjectOrGroup,
  userId: number,
  { role, expiresAt }: Readonly<{ role: Role; expiresAt: Date | null }>,
): Promise<void> {
  const data = { role: ROLES[role].level, expiresAt };
  if (resource.kind === "project")
    await db.projectMember.updateMany({ where: { projectId: resource.id, userId }, data });
  else await db.groupMember.updateMany({ where: { groupId: resource.id, userId }, data });
}

export async function remove(db: Db, resource: ProjectOrGroup, userId: number): Promise<boolean> {
  const { count } =
    resource.kind === "project"
      ? await db.projectMember.deleteMany({ where: { projectId: resource.id, userId } })
      : await db.groupMember.deleteMany({ where: { groupId: resource.id, userId } });
  return count === 1;
}

/** Returns the roles of the direct memberships of users, with the user ids as keys. */
export async function directRoles(
  reads: Reads,
  resource: ProjectOrGroup,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Role>> {
  const rows = await sql.directRoles(reads, resource, userIds);
  return new Map(rows.map(({ userId, role }) => [userId, roleOf([role]) ?? "guest"]));
}

/** Locks the row of a project or a group until the transaction ends. */
export const lock = (db: Db, { kind, id }: ProjectOrGroup): Promise<boolean> =>
  lockRow(db, kind === "project" ? "Project" : "Group", id);
