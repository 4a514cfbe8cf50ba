import { roleOf } from "@/access/roles";
import type { Db } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Reads } from "@/kernel/db/prepared";
import { current } from "./row";
import type { Member, Membership, ProjectOrGroup } from "./rules";
import { directAndInherited, type MembershipRow } from "./store.sql";

/** Returns the direct memberships of a user, at most `most` in projects and at most `most` in groups. */
export async function membershipsOfUser(db: Db, userId: number, most: number) {
  const columns = { role: true, createdAt: true, expiresAt: true } as const;
  const query = { where: { userId }, take: most, orderBy: { id: "asc" } } as const;
  const [groups, projects] = await Promise.all([
    db.groupMember.findMany({ ...query, select: { ...columns, group: { select: { fullPath: true } } } }),
    db.projectMember.findMany({ ...query, select: { ...columns, project: { select: { fullPath: true } } } }),
  ]);
  return [
    ...groups.map(({ group, ...row }) => ({ kind: "group" as const, path: group.fullPath, ...row })),
    ...projects.map(({ project, ...row }) => ({ kind: "project" as const, path: project.fullPath, ...row })),
  ];
}

/** Returns the access levels that a user inherits from the ancestor groups. */
export async function inheritedLevels(
  db: Db,
  resource: ProjectOrGroup,
  userId: number,
  now: Date,
): Promise<readonly number[]> {
  const groupId = resource.kind === "group" ? resource.id : resource.groupId;
  if (groupId === null) return [];
  const rows = await db.groupMember.findMany({
    where: {
      userId,
      ...current(now),
      group: { below: { some: { groupId } } },
      ...(resource.kind === "group" ? { groupId: { not: resource.id } } : {}),
    },
    select: { role: true },
  });
  return rows.map(({ role }) => role);
}

/** Returns the direct and the inherited memberships of users in a project or a group, in one query. */
export async function membershipsOf(
  reads: Reads,
  resource: ProjectOrGroup,
  users: readonly Member["user"][],
  now: Date,
): Promise<readonly Membership[]> {
  const rows = await directAndInherited(reads, resource, { userIds: users.map(({ id }) => id), now });
  const ownGroupId = resource.kind === "group" ? resource.id : null;
  const isOwn = ({ group }: MembershipRow): boolean => (group?.id ?? null) === ownGroupId;
  return users.map((user) => {
    const ofUser = rows.filter(({ userId }) => userId === user.id);
    const direct = ofUser.find(isOwn);
    const highest = ofUser.find((row) => !isOwn(row));
    return {
      user,
      own: direct === undefined ? null : termsOf(direct),
      inherited: highest?.group ? { ...termsOf(highest), group: highest.group } : null,
    };
  });
}

const termsOf = ({ role, expiresAt }: MembershipRow) => ({ role: roleOf([role]) ?? "guest", expiresAt });

/**
 * Returns two lists of full paths of groups. The first list contains the groups of which a user is a direct
 * member, and the second list also contains the descendants of these groups. Each list has no duplicates and
 * at most `most` entries. The function runs one query, which uses only indexes.
 */
export async function groupPathsOf(
  db: Db,
  userId: number,
  { most, now }: Readonly<{ most: number; now: Date }>,
): Promise<Readonly<{ direct: readonly string[]; all: readonly string[] }>> {
  const paths = (depth: "direct" | "all", joins: Prisma.Sql) => Prisma.sql`
    SELECT * FROM (SELECT DISTINCT ${Prisma.raw(`'${depth}'`)} AS "depth", g."fullPath" AS "path"
    FROM "GroupMember" m ${joins}
    WHERE m."userId" = ${userId} AND (m."expiresAt" IS NULL OR m."expiresAt" > ${now}) LIMIT ${most}) p`;
  const rows = await db.$queryRaw<{ depth: string; path: string }[]>`
    ${paths("direct", Prisma.sql`JOIN "Group" g ON g."id" = m."groupId"`)}
    UNION ALL
    ${paths("all", Prisma.sql`JOIN "GroupAncestor" a ON a."ancestorId" = m."groupId" JOIN "Group" g ON g."id" = a."groupId"`)}`;
  const of = (depth: string) => rows.filter((row) => row.depth === depth).map(({ path }) => path);
  return { direct: of("direct"), all: of("all") };
}
