import { ROLES, type Role } from "@/access/roles";
import type { Queries } from "@/kernel/db/db";
import type { Reads } from "@/kernel/db/prepared";
import { ancestorsOf } from "../hierarchy/descendants";
import { current } from "./row";
import { groupIdOf, type ProjectOrGroup } from "./rules";
import * as sql from "./store.sql";

/** Returns the ids of the first direct and inherited members with a minimum access level, in ascending order. */
export async function idsWithLevel(
  { db, reads }: Queries,
  resource: ProjectOrGroup,
  { least, now, most }: Readonly<{ least: number; now: Date; most: number }>,
): Promise<readonly number[]> {
  const groupId = resource.kind === "group" ? resource.id : resource.groupId;
  const groupIds = await ancestorsOf(reads, groupId);
  const where = { role: { gte: least }, user: { kind: "human", state: "active" }, ...current(now) };
  const query = { select: { userId: true }, orderBy: { userId: "asc" }, take: most } as const;
  const [own, inherited] = await Promise.all([
    resource.kind === "project"
      ? db.projectMember.findMany({ where: { ...where, projectId: resource.id }, ...query })
      : [],
    db.groupMember.findMany({ where: { ...where, groupId: { in: [...groupIds] } }, ...query }),
  ]);
  const ids = new Set([...own, ...inherited].map(({ userId }) => userId));
  return [...ids].toSorted((left, right) => left - right).slice(0, most);
}

/**
 * Returns the query condition that selects users who have at least this access level by a direct or inherited
 * membership. The condition names the groups, because otherwise the database reads the members of all groups.
 */
async function memberOf(reads: Reads, resource: ProjectOrGroup, level: number, now: Date) {
  const enough = { role: { gte: level }, ...current(now) };
  const groupIds = await ancestorsOf(reads, groupIdOf(resource));
  return {
    OR: [
      ...(resource.kind === "project"
        ? [{ projectRoles: { some: { ...enough, projectId: resource.id } } }]
        : []),
      ...(groupIds.length === 0
        ? []
        : [{ groupRoles: { some: { ...enough, groupId: { in: [...groupIds] } } } }]),
    ],
  };
}

/** Returns those of the given users who are direct or inherited members, ordered by id. */
export async function membersAmong(
  { db, reads }: Queries,
  resource: ProjectOrGroup,
  { userIds, usernames }: Readonly<{ userIds: readonly number[]; usernames: readonly string[] }>,
  now: Date,
): Promise<readonly Readonly<{ id: number; usernameLower: string }>[]> {
  const named = { usernameLower: { in: usernames.map((username) => username.toLowerCase()) } };
  return db.user.findMany({
    where: { AND: [{ OR: [{ id: { in: [...userIds] } }, named] }, await memberOf(reads, resource, 0, now)] },
    select: { id: true, usernameLower: true },
    orderBy: { id: "asc" },
  });
}

/**
 * Returns the active candidates who have a minimum role in a project or a group, ordered by id. The candidates are the
 * given users, and all members of the given groups. Each result contains the candidate groups in which the user is a
 * member.
 */
export async function listUsersWithRole(
  reads: Reads,
  resource: ProjectOrGroup,
  { userIds, groupIds, least, most, now }: Candidates & Readonly<{ now: Date }>,
) {
  const ancestorIds = await ancestorsOf(reads, groupIdOf(resource));
  const level = ROLES[least].level;
  const rows = await sql.usersWithRole(reads, resource, { ancestorIds, userIds, groupIds, level, most, now });
  const ids = rows.map(({ id }) => id);
  const memberships =
    groupIds.length === 0 ? [] : await sql.groupsOfUsers(reads, { groupIds, userIds: ids, now });
  const groupsOf = new Map<number, Set<number>>(ids.map((id) => [id, new Set()]));
  for (const { userId, groupId } of memberships) groupsOf.get(userId)?.add(groupId);
  return rows.map((user) => ({
    user: { ...user, state: "active" as const },
    groupIds: groupsOf.get(user.id) ?? new Set<number>(),
  }));
}

/**
 * Selects the candidates: the users with the given user ids, and the members of the groups with the given
 * group ids. `most` is the maximum number of returned users.
 */
export type Candidates = Readonly<{
  userIds: readonly number[];
  groupIds: readonly number[];
  least: Role;
  most: number;
}>;
