import { ROLES } from "@/access/roles";
import type { Db } from "@/kernel/db/db";
import type { ProjectOrGroup } from "./rules";

/**
 * The query condition that selects permanent owners who can sign in. A deactivated user does not count as an
 * owner, because the deletion of this user may have been requested.
 */
const ACTIVE_OWNER = {
  role: ROLES.owner.level,
  expiresAt: null,
  user: { kind: "human", state: "active" },
} as const;

/**
 * Returns the number of direct owners, except the given user, who are active humans and whose memberships do
 * not expire.
 */
export function countOtherOwners(db: Db, resource: ProjectOrGroup, userId: number): Promise<number> {
  const where = { ...ACTIVE_OWNER, userId: { not: userId } };
  return resource.kind === "project"
    ? db.projectMember.count({ where: { ...where, projectId: resource.id } })
    : db.groupMember.count({ where: { ...where, groupId: resource.id } });
}

/**
 * Returns the first groups of which a user is the only permanent owner: no other active user is a permanent
 * owner of such a group or of its ancestors.
 */
export async function soleOwnedGroups(
  db: Db,
  userId: number,
  most: number,
): Promise<readonly Readonly<{ id: number; fullPath: string }>[]> {
  const rows = await db.groupMember.findMany({
    where: soleOwnership(userId),
    select: { group: { select: { id: true, fullPath: true } } },
    orderBy: { group: { fullPathLower: "asc" } },
    take: most,
  });
  return rows.map(({ group }) => group);
}

/** Returns whether a user is the only permanent owner of a group or of one of its ancestors. */
export async function isInSoleOwnedGroup(db: Db, userId: number, groupId: number): Promise<boolean> {
  const inside = { group: { below: { some: { groupId } } } };
  return (await db.groupMember.count({ where: { AND: [soleOwnership(userId), inside] } })) > 0;
}

function soleOwnership(userId: number) {
  const others = { ...ACTIVE_OWNER, userId: { not: userId } };
  const group = { above: { none: { ancestor: { members: { some: others } } } } };
  return { role: ROLES.owner.level, expiresAt: null, userId, group };
}
