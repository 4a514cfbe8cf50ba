import { userStateOf } from "@/access/principal";
import { ROLES, type Role, roleOf } from "@/access/roles";
import { anyOf, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db, Queries } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { lockRow } from "@/kernel/db/lock";
import type { Reads } from "@/kernel/db/prepared";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { ancestorsOf } from "../hierarchy/descendants";
import type { Member, Membership, ProjectOrGroup } from "./rules";
import * as sql from "./store.sql";

const user = { select: { id: true, username: true, name: true, state: true, avatarDigest: true } } as const;

const memberFrom = ({ role, user, ...row }: sql.MemberRow): Member => ({
  id: row.id,
  user: { ...user, state: userStateOf(user.state) },
  role: roleOf([role]) ?? "guest",
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
});

/** Returns a condition for memberships that have not expired. */
const current = (now: Date) => ({ OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });

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

/** Returns the roles of the direct memberships of users, by user id. */
export async function directRoles(
  db: Db,
  { kind, id }: ProjectOrGroup,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Role>> {
  const userId = { in: padToPowerOfFour(userIds) };
  const select = { userId: true, role: true } as const;
  const rows =
    kind === "project"
      ? await db.projectMember.findMany({ where: { projectId: id, userId }, select })
      : await db.groupMember.findMany({ where: { groupId: id, userId }, select });
  return new Map(rows.map(({ userId, role }) => [userId, roleOf([role]) ?? "guest"]));
}

/** Locks the row of a project or a group until the transaction ends. */
export const lock = (db: Db, { kind, id }: ProjectOrGroup): Promise<boolean> =>
  lockRow(db, kind === "project" ? "Project" : "Group", id);

/** The condition for permanent owners who can act. The deletion of a deactivated user may have been requested. */
const ACTIVE_OWNER = {
  role: ROLES.owner.level,
  expiresAt: null,
  user: { kind: "human", state: "active" },
} as const;

/** Returns the number of other direct owners who are active humans and whose memberships do not expire. */
export function countOtherOwners(db: Db, resource: ProjectOrGroup, userId: number): Promise<number> {
  const where = { ...ACTIVE_OWNER, userId: { not: userId } };
  return resource.kind === "project"
    ? db.projectMember.count({ where: { ...where, projectId: resource.id } })
    : db.groupMember.count({ where: { ...where, groupId: resource.id } });
}

/**
 * Returns the first groups of which a user is the only permanent owner: no other active user is a permanent owner of the
 * group or of an ancestor.
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

/** Returns the direct memberships of a user in projects and groups, at most `most` of each. */
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

/** Returns a condition for a search by name or username. E-mail addresses are private, so they are never searched. */
const named = (search: string) =>
  search === ""
    ? {}
    : {
        user: {
          OR: [
            { usernameLower: { contains: literally(search.toLowerCase()) } },
            { name: { contains: literally(search) } },
          ],
        },
      };

/** Returns a page of the direct members of a project or a group. */
export function listDirect(
  { db, reads }: Queries,
  resource: ProjectOrGroup,
  { search, now }: Readonly<{ search: string; now: Date }>,
  paging: Paging,
): Promise<Page<Member>> {
  const common = { AND: [current(now), named(search), keysetFilterOf(paging)] };
  const orderBy = { id: directionOf(paging) } as const;
  const idsInOrder = { orderBy, select: { id: true } } as const;
  const isSearch = search !== "";
  const take = COUNTED_MAX + 1;
  const read = async (ids: number[]) => (await sql.findByIds(reads, resource.kind, ids)).map(memberFrom);
  if (resource.kind === "project") {
    const where = { projectId: resource.id, ...common };
    return pageById(paging, {
      isSearch,
      find: (window) => db.projectMember.findMany({ where, ...idsInOrder, ...window }),
      read,
      count: () => db.projectMember.count({ where, take }),
    });
  }
  const where = { groupId: resource.id, ...common };
  return pageById(paging, {
    isSearch,
    find: (window) => db.groupMember.findMany({ where, ...idsInOrder, ...window }),
    read,
    count: () => db.groupMember.count({ where, take }),
  });
}

/**
 * Returns a page of the direct and inherited members, ordered by user id. Each member has the highest of their roles.
 */
export async function listAll(
  { db, reads }: Queries,
  resource: ProjectOrGroup,
  { search, now }: Readonly<{ search: string; now: Date }>,
  paging: Paging,
): Promise<Page<Member>> {
  const groupIds = await ancestorsOf(reads, groupIdOf(resource));
  const inGroups = { ...current(now), groupId: { in: padToPowerOfFour(groupIds) } };
  const inProject = { ...current(now), projectId: resource.kind === "project" ? resource.id : 0 };
  const where = {
    AND: [
      named(search).user ?? {},
      anyOf([
        ...(resource.kind === "project" ? [{ projectRoles: { some: inProject } }] : []),
        ...(groupIds.length === 0 ? [] : [{ groupRoles: { some: inGroups } }]),
      ]),
      keysetFilterOf(paging),
    ],
  };
  const id = directionOf(paging);
  const memberQuery = { resource, groupIds, now, paging };
  return pageById(paging, {
    isSearch: search !== "",
    find: (window) =>
      search === ""
        ? db.$queryRaw<{ id: number }[]>(idsOf(memberQuery, window))
        : db.user.findMany({ where, orderBy: { id }, select: { id: true }, ...window }),
    read: async (userIds) =>
      highestOf(await sql.membershipsOfUsers(reads, resource, groupIds, { userIds, now })),
    count: async () => {
      const counted = idsOf(memberQuery, { skip: 0, take: COUNTED_MAX + 1 });
      const rows = await db.$queryRaw<
        { count: number | bigint }[]
      >`SELECT COUNT(*) AS count FROM (${counted}) a`;
      return Number(rows[0]?.count ?? 0);
    },
  });
}

/** Returns a direct or inherited member with the highest of their roles, or null. */
export async function findAnywhere(
  reads: Reads,
  resource: ProjectOrGroup,
  userId: number,
  now: Date,
): Promise<Member | null> {
  const groupIds = await ancestorsOf(reads, groupIdOf(resource));
  const rows = await sql.membershipsOfUsers(reads, resource, groupIds, { userIds: [userId], now });
  return highestOf(rows)[0] ?? null;
}

/** @param rows the memberships; for each user, the membership with the highest role comes first. */
const highestOf = (rows: readonly sql.MemberRow[]): readonly Member[] => [
  ...new Map(rows.toReversed().map((row) => [row.id, memberFrom(row)])).values(),
];

type MemberQuery = Readonly<{
  resource: ProjectOrGroup;
  groupIds: readonly number[];
  now: Date;
  paging: Paging;
}>;

/**
 * Returns a statement that selects the distinct user ids of the members of a project and groups, in order. For the
 * project and for each group, the statement reads at most the first rows up to the end of the requested page from the
 * index. A query on the table of users would read all memberships.
 */
function idsOf(
  { resource, groupIds, now, paging }: MemberQuery,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Prisma.Sql {
  const order = Prisma.raw(directionOf(paging));
  const { gt = null, lt = null } = keysetFilterOf(paging).id ?? {};
  const conditions = [
    ...(gt === null ? [] : [Prisma.sql`AND m."userId" > ${gt}`]),
    ...(lt === null ? [] : [Prisma.sql`AND m."userId" < ${lt}`]),
  ];
  const memberIds = (from: Prisma.Sql) => Prisma.sql`SELECT p."userId" AS id FROM (
    SELECT m."userId" FROM ${from} AND (m."expiresAt" IS NULL OR m."expiresAt" > ${now})
    ${Prisma.join([Prisma.empty, ...conditions], " ")} ORDER BY m."userId" ${order} LIMIT ${skip + take}) p`;
  const direct = Prisma.sql`"ProjectMember" m WHERE m."projectId" = ${resource.id}`;
  const inherited = groupIds.map((id) => Prisma.sql`"GroupMember" m WHERE m."groupId" = ${id}`);
  const parts = [...(resource.kind === "project" ? [direct] : []), ...inherited].map(memberIds);
  // The list of subqueries is empty if the group no longer exists.
  if (parts.length === 0) return Prisma.sql`SELECT 0 AS id WHERE 1 = 0`;
  // With an explicit order, PostgreSQL merges the sorted parts instead of sorting all rows.
  return Prisma.sql`SELECT e.id FROM (${Prisma.join(parts, " UNION ALL ")} ORDER BY id ${order}) e
    GROUP BY e.id ORDER BY e.id ${order} LIMIT ${take} OFFSET ${skip}`;
}

/** Returns a condition for users with a direct or inherited membership of at least this access level. */
const memberOf = (resource: ProjectOrGroup, level: number, now: Date) => {
  const enough = { role: { gte: level }, ...current(now) };
  const groupId = groupIdOf(resource) ?? 0;
  return {
    OR: [
      ...(resource.kind === "project"
        ? [{ projectRoles: { some: { ...enough, projectId: resource.id } } }]
        : []),
      { groupRoles: { some: { ...enough, group: { below: { some: { groupId } } } } } },
    ],
  };
};

/** Returns only the users who are direct or inherited members, ordered by id. */
export async function membersAmong(
  db: Db,
  resource: ProjectOrGroup,
  { userIds, usernames }: Readonly<{ userIds: readonly number[]; usernames: readonly string[] }>,
  now: Date,
): Promise<readonly Readonly<{ id: number; usernameLower: string }>[]> {
  const named = { usernameLower: { in: usernames.map((username) => username.toLowerCase()) } };
  return db.user.findMany({
    where: { AND: [{ OR: [{ id: { in: [...userIds] } }, named] }, memberOf(resource, 0, now)] },
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
  db: Db,
  resource: ProjectOrGroup,
  { userIds, groupIds, least, most, now }: Candidates & Readonly<{ now: Date }>,
) {
  const below = { groupId: { in: [...groupIds] } };
  const inGroups = { ...current(now), group: { below: { some: below } } };
  const rows = await db.user.findMany({
    where: {
      AND: [
        { state: "active", OR: [{ id: { in: [...userIds] } }, { groupRoles: { some: inGroups } }] },
        { OR: [{ admin: true }, memberOf(resource, ROLES[least].level, now)] },
      ],
    },
    select: {
      ...user.select,
      groupRoles: {
        where: inGroups,
        select: { group: { select: { below: { where: below, select: { groupId: true } } } } },
      },
    },
    orderBy: { id: "asc" },
    take: most,
  });
  return rows.map(({ groupRoles, ...user }) => ({
    user: { ...user, state: "active" as const },
    groupIds: new Set(groupRoles.flatMap(({ group }) => group.below.map(({ groupId }) => groupId))),
  }));
}

/**
 * The users to select: users with these ids, and members of the groups with these ids. `most` is the maximum number of
 * returned users.
 */
export type Candidates = Readonly<{
  userIds: readonly number[];
  groupIds: readonly number[];
  least: Role;
  most: number;
}>;

const groupIdOf = (resource: ProjectOrGroup): number | null =>
  resource.kind === "group" ? resource.id : resource.groupId;

/** Returns the direct and the inherited memberships of users in a project or a group. The function runs two queries. */
export async function membershipsOf(
  db: Db,
  resource: ProjectOrGroup,
  users: readonly Member["user"][],
  now: Date,
): Promise<readonly Membership[]> {
  const where = { userId: { in: users.map(({ id }) => id) }, ...current(now) };
  const groupId = groupIdOf(resource) ?? 0;
  const exceptItself = resource.kind === "group" ? { groupId: { not: resource.id } } : {};
  const [own, inherited] = await Promise.all([
    resource.kind === "project"
      ? db.projectMember.findMany({ where: { ...where, projectId: resource.id } })
      : db.groupMember.findMany({ where: { ...where, groupId: resource.id } }),
    db.groupMember.findMany({
      where: { ...where, ...exceptItself, group: { below: { some: { groupId } } } },
      include: { group: { select: { id: true, fullPath: true } } },
      orderBy: [{ role: "desc" }, { groupId: "desc" }],
    }),
  ]);
  return users.map((user) => {
    const direct = own.find(({ userId }) => userId === user.id);
    const highest = inherited.find(({ userId }) => userId === user.id);
    return {
      user,
      own: direct === undefined ? null : termsOf(direct),
      inherited: highest === undefined ? null : { ...termsOf(highest), group: highest.group },
    };
  });
}

const termsOf = ({ role, expiresAt }: Readonly<{ role: number; expiresAt: Date | null }>) => ({
  role: roleOf([role]) ?? "guest",
  expiresAt,
});

/**
 * Returns the full paths of the groups of which a user is a direct member, and the full paths of these groups and all
 * their descendants. Each of the two lists has no duplicates and at most `most` entries. The function runs one query,
 * which uses only indexes.
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
