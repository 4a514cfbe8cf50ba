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
