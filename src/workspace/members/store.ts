import { ROLES, type Role, roleOf } from "@/access/roles";
import { anyOf, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import { lockRow } from "@/kernel/db/lock";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { ancestorsOf } from "../hierarchy/descendants";
import type { Member, Membership, Place } from "./rules";

const user = { select: { id: true, username: true, name: true, state: true } } as const;

type Row = Readonly<{
  id: number;
  role: number;
  createdAt: Date;
  expiresAt: Date | null;
  user: Readonly<{ id: number; username: string; name: string; state: string }>;
}>;

const memberFrom = ({ role, user, ...row }: Row): Member => ({
  id: row.id,
  user: { ...user, state: user.state === "active" ? "active" : "blocked" },
  role: roleOf([role]) ?? "guest",
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
});

/** Not ended yet. */
const current = (now: Date) => ({ OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] });

/** All that somebody is in a project or a group, and in the groups above it. Two queries at most. */
export async function levelsOf(db: Db, place: Place, userId: number, now: Date): Promise<readonly number[]> {
  const groupId = place.kind === "group" ? place.id : place.groupId;
  const where = { userId, ...current(now) };
  const [own, inherited] = await Promise.all([
    place.kind === "project" ? db.projectMember.findMany({ where: { ...where, projectId: place.id } }) : [],
    groupId === null
      ? []
      : db.groupMember.findMany({ where: { ...where, group: { below: { some: { groupId } } } } }),
  ]);
  return [...own, ...inherited].map(({ role }) => role);
}

/** Somebody's own place here, inherited ones aside. */
export async function find(db: Db, place: Place, userId: number): Promise<Member | null> {
  const row =
    place.kind === "project"
      ? await db.projectMember.findUnique({
          where: { projectId_userId: { projectId: place.id, userId } },
          include: { user },
        })
      : await db.groupMember.findUnique({
          where: { groupId_userId: { groupId: place.id, userId } },
          include: { user },
        });
  return row && memberFrom(row);
}

type NewMember = Readonly<{ userId: number; role: Role; expiresAt: Date | null; createdAt: Date }>;

/** Raises P2002 when they are a member here already. */
export async function insert(db: Db, place: Place, { role, ...member }: NewMember): Promise<void> {
  const data = { ...member, role: ROLES[role].level };
  if (place.kind === "project") await db.projectMember.create({ data: { ...data, projectId: place.id } });
  else await db.groupMember.create({ data: { ...data, groupId: place.id } });
}

/** Takes away a membership that has ended, so that it is as if it had not been. */
export async function removeEnded(db: Db, place: Place, userId: number, now: Date): Promise<void> {
  const ended = { userId, expiresAt: { lte: now } };
  if (place.kind === "project")
    await db.projectMember.deleteMany({ where: { ...ended, projectId: place.id } });
  else await db.groupMember.deleteMany({ where: { ...ended, groupId: place.id } });
}

export async function update(
  db: Db,
  place: Place,
  userId: number,
  { role, expiresAt }: Readonly<{ role: Role; expiresAt: Date | null }>,
): Promise<void> {
  const data = { role: ROLES[role].level, expiresAt };
  if (place.kind === "project")
    await db.projectMember.updateMany({ where: { projectId: place.id, userId }, data });
  else await db.groupMember.updateMany({ where: { groupId: place.id, userId }, data });
}

export async function remove(db: Db, place: Place, userId: number): Promise<boolean> {
  const { count } =
    place.kind === "project"
      ? await db.projectMember.deleteMany({ where: { projectId: place.id, userId } })
      : await db.groupMember.deleteMany({ where: { groupId: place.id, userId } });
  return count === 1;
}

/** Until the transaction ends, no other one passes this for the same place. */
export const lock = (db: Db, { kind, id }: Place): Promise<boolean> =>
  lockRow(db, kind === "project" ? "Project" : "Group", id);

/** How many others own this place for good, inherited ownership aside. */
export function countOtherOwners(db: Db, place: Place, userId: number): Promise<number> {
  const where = { userId: { not: userId }, role: ROLES.owner.level, expiresAt: null };
  return place.kind === "project"
    ? db.projectMember.count({ where: { ...where, projectId: place.id } })
    : db.groupMember.count({ where: { ...where, groupId: place.id } });
}

/** What somebody is by groups above this place. */
export async function inheritedLevels(
  db: Db,
  place: Place,
  userId: number,
  now: Date,
): Promise<readonly number[]> {
  const groupId = place.kind === "group" ? place.id : place.groupId;
  if (groupId === null) return [];
  const rows = await db.groupMember.findMany({
    where: {
      userId,
      ...current(now),
      group: { below: { some: { groupId } } },
      ...(place.kind === "group" ? { groupId: { not: place.id } } : {}),
    },
    select: { role: true },
  });
  return rows.map(({ role }) => role);
}

/** Whose name or username holds the text. Never by an address: whose it is, is nobody else's business. */
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

/** A part of those who are members right here. */
export function listDirect(
  db: Db,
  place: Place,
  { search, now }: Readonly<{ search: string; now: Date }>,
  paging: Paging,
): Promise<Page<Member>> {
  const common = { AND: [current(now), named(search), keysetFilterOf(paging)] };
  const orderBy = { id: directionOf(paging) } as const;
  const ask = { orderBy, select: { id: true } } as const;
  const isSearch = search !== "";
  const take = COUNTED_MAX + 1;
  if (place.kind === "project") {
    const where = { projectId: place.id, ...common };
    return pageById(paging, {
      isSearch,
      find: (window) => db.projectMember.findMany({ where, ...ask, ...window }),
      read: async (ids) =>
        (await db.projectMember.findMany({ where: { id: { in: ids } }, include: { user } })).map(memberFrom),
      count: () => db.projectMember.count({ where, take }),
    });
  }
  const where = { groupId: place.id, ...common };
  return pageById(paging, {
    isSearch,
    find: (window) => db.groupMember.findMany({ where, ...ask, ...window }),
    read: async (ids) =>
      (await db.groupMember.findMany({ where: { id: { in: ids } }, include: { user } })).map(memberFrom),
    count: () => db.groupMember.count({ where, take }),
  });
}

/**
 * Everybody who is a member here or in a group above, each once, with the highest of their roles; by their ids.
 * @param userId of the only one that is looked for.
 */
export async function listAll(
  db: Db,
  place: Place,
  { search, now, userId }: Readonly<{ search: string; now: Date; userId?: number }>,
  paging: Paging,
): Promise<Page<Member>> {
  const groupIds = await ancestorsOf(db, groupIdOf(place));
  const inGroups = { ...current(now), groupId: { in: padToPowerOfFour(groupIds) } };
  const inProject = { ...current(now), projectId: place.kind === "project" ? place.id : 0 };
  const where = {
    AND: [
      named(search).user ?? {},
      anyOf([
        ...(place.kind === "project" ? [{ projectRoles: { some: inProject } }] : []),
        ...(groupIds.length === 0 ? [] : [{ groupRoles: { some: inGroups } }]),
      ]),
      userId === undefined ? {} : { id: userId },
      keysetFilterOf(paging),
    ],
  };
  const roles = { select: { id: true, role: true, createdAt: true, expiresAt: true } } as const;
  const id = directionOf(paging);
  const everybody = { place, groupIds, userId, now, paging };
  const read = async (ids: number[]) => {
    const users = await db.user.findMany({
      where: { id: { in: ids } },
      select: {
        ...user.select,
        projectRoles: { where: inProject, ...roles },
        groupRoles: { where: inGroups, ...roles },
      },
    });
    return users.flatMap(({ projectRoles, groupRoles, ...user }) => {
      const [highest] = [...projectRoles, ...groupRoles].sort((one, other) => other.role - one.role);
      return highest === undefined ? [] : [memberFrom({ ...highest, id: user.id, user })];
    });
  };
  return pageById(paging, {
    isSearch: search !== "",
    find: (window) =>
      search === ""
        ? db.$queryRaw<{ id: number }[]>(idsOf(everybody, window))
        : db.user.findMany({ where, orderBy: { id }, select: { id: true }, ...window }),
    read,
    count: async () => {
      const counted = idsOf(everybody, { skip: 0, take: COUNTED_MAX + 1 });
      const rows = await db.$queryRaw<
        { count: number | bigint }[]
      >`SELECT COUNT(*) AS count FROM (${counted}) a`;
      return Number(rows[0]?.count ?? 0);
    },
  });
}

type MemberQuery = Readonly<{
  place: Place;
  groupIds: readonly number[];
  userId: number | undefined;
  now: Date;
  paging: Paging;
}>;

/**
 * The ids of everybody who is a member in any of these places, each once, in their order. No more of any place are read,
 * along its index, than the window reaches: as a condition on a person, all that there are would be.
 */
function idsOf(
  { place, groupIds, userId, now, paging }: MemberQuery,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Prisma.Sql {
  const order = Prisma.raw(directionOf(paging));
  const { gt = null, lt = null } = keysetFilterOf(paging).id ?? {};
  const beside = [
    ...(userId === undefined ? [] : [Prisma.sql`AND m."userId" = ${userId}`]),
    ...(gt === null ? [] : [Prisma.sql`AND m."userId" > ${gt}`]),
    ...(lt === null ? [] : [Prisma.sql`AND m."userId" < ${lt}`]),
  ];
  const those = (from: Prisma.Sql) => Prisma.sql`SELECT p."userId" AS id FROM (
    SELECT m."userId" FROM ${from} AND (m."expiresAt" IS NULL OR m."expiresAt" > ${now})
    ${Prisma.join([Prisma.empty, ...beside], " ")} ORDER BY m."userId" ${order} LIMIT ${skip + take}) p`;
  const right = Prisma.sql`"ProjectMember" m WHERE m."projectId" = ${place.id}`;
  const above = groupIds.map((id) => Prisma.sql`"GroupMember" m WHERE m."groupId" = ${id}`);
  const parts = [...(place.kind === "project" ? [right] : []), ...above].map(those);
  // The group is not there any more.
  if (parts.length === 0) return Prisma.sql`SELECT 0 AS id WHERE 1 = 0`;
  // In order already, so that PostgreSQL merges the parts; left to itself it gathers and sorts them.
  return Prisma.sql`SELECT e.id FROM (${Prisma.join(parts, " UNION ALL ")} ORDER BY id ${order}) e
    GROUP BY e.id ORDER BY e.id ${order} LIMIT ${take} OFFSET ${skip}`;
}

/** What somebody is in each of these places of one kind, by the place's id. Two queries at most. */
export async function levelsByPlace(
  db: Db,
  places: readonly Place[],
  userId: number,
  now: Date,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const projectIds = places.flatMap(({ kind, id }) => (kind === "project" ? [id] : []));
  const groupIds = places.flatMap((place) => groupIdOf(place) ?? []);
  const where = { userId, ...current(now) };
  const below = { groupId: { in: groupIds } };
  const [own, inherited] = await Promise.all([
    db.projectMember.findMany({ where: { ...where, projectId: { in: projectIds } } }),
    db.groupMember.findMany({
      where: { ...where, group: { below: { some: below } } },
      select: { role: true, group: { select: { below: { where: below, select: { groupId: true } } } } },
    }),
  ]);
  return new Map(
    places.map((place) => [
      place.id,
      [
        ...own.filter(({ projectId }) => place.kind === "project" && projectId === place.id),
        ...inherited.filter(({ group }) => group.below.some(({ groupId }) => groupId === groupIdOf(place))),
      ].map(({ role }) => role),
    ]),
  );
}

/** Which memberships of these people there are in some projects, and in some groups or in groups above them. Two queries. */
export async function membershipsIn(
  db: Db,
  { projectIds, groupIds }: Readonly<{ projectIds: readonly number[]; groupIds: readonly number[] }>,
  userIds: readonly number[],
  now: Date,
) {
  const where = { userId: { in: [...userIds] }, ...current(now) };
  const below = { groupId: { in: [...groupIds] } };
  const [inProjects, inGroups] = await Promise.all([
    db.projectMember.findMany({
      where: { ...where, projectId: { in: [...projectIds] } },
      select: { userId: true, projectId: true, role: true },
    }),
    db.groupMember.findMany({
      where: { ...where, group: { below: { some: below } } },
      select: {
        userId: true,
        role: true,
        group: { select: { below: { where: below, select: { groupId: true } } } },
      },
    }),
  ]);
  return {
    inProjects,
    inGroups: inGroups.flatMap(({ userId, role, group }) =>
      group.below.map(({ groupId }) => ({ userId, groupId, role })),
    ),
  };
}

/** Who is a member of a project by any membership that gives at least this level. */
const memberOf = (place: Place, level: number, now: Date) => {
  const enough = { role: { gte: level }, ...current(now) };
  const groupId = groupIdOf(place) ?? 0;
  return {
    OR: [
      ...(place.kind === "project" ? [{ projectRoles: { some: { ...enough, projectId: place.id } } }] : []),
      { groupRoles: { some: { ...enough, group: { below: { some: { groupId } } } } } },
    ],
  };
};

/** Those with one of these ids or usernames who are members of a place, by their ids. */
export async function membersAmong(
  db: Db,
  place: Place,
  { userIds, usernames }: Readonly<{ userIds: readonly number[]; usernames: readonly string[] }>,
  now: Date,
): Promise<readonly Readonly<{ id: number; usernameLower: string }>[]> {
  const named = { usernameLower: { in: usernames.map((username) => username.toLowerCase()) } };
  return db.user.findMany({
    where: { AND: [{ OR: [{ id: { in: [...userIds] } }, named] }, memberOf(place, 0, now)] },
    select: { id: true, usernameLower: true },
    orderBy: { id: "asc" },
  });
}

/**
 * Those of some people, and of the members of some groups, who can sign in and are at least that much in a place, each
 * with which of the groups they are in; by their ids.
 */
export async function listUsersWithRole(
  db: Db,
  place: Place,
  { userIds, groupIds, least, most, now }: Candidates & Readonly<{ now: Date }>,
) {
  const below = { groupId: { in: [...groupIds] } };
  const inGroups = { ...current(now), group: { below: { some: below } } };
  const rows = await db.user.findMany({
    where: {
      AND: [
        { state: "active", OR: [{ id: { in: [...userIds] } }, { groupRoles: { some: inGroups } }] },
        { OR: [{ admin: true }, memberOf(place, ROLES[least].level, now)] },
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

/** People by their ids or by their groups, of whom at most so many are looked for. */
export type Candidates = Readonly<{
  userIds: readonly number[];
  groupIds: readonly number[];
  least: Role;
  most: number;
}>;

const groupIdOf = (place: Place): number | null => (place.kind === "group" ? place.id : place.groupId);

/** How each of these people comes to be a member here. Two queries. */
export async function membershipsOf(
  db: Db,
  place: Place,
  users: readonly Member["user"][],
  now: Date,
): Promise<readonly Membership[]> {
  const where = { userId: { in: users.map(({ id }) => id) }, ...current(now) };
  const groupId = groupIdOf(place) ?? 0;
  const besideItself = place.kind === "group" ? { groupId: { not: place.id } } : {};
  const [own, inherited] = await Promise.all([
    place.kind === "project"
      ? db.projectMember.findMany({ where: { ...where, projectId: place.id } })
      : db.groupMember.findMany({ where: { ...where, groupId: place.id } }),
    db.groupMember.findMany({
      where: { ...where, ...besideItself, group: { below: { some: { groupId } } } },
      include: { group: { select: { id: true, fullPath: true } } },
      orderBy: [{ role: "desc" }, { groupId: "desc" }],
    }),
  ]);
  return users.map((user) => {
    const mine = own.find(({ userId }) => userId === user.id);
    const highest = inherited.find(({ userId }) => userId === user.id);
    return {
      user,
      own: mine === undefined ? null : termsOf(mine),
      inherited: highest === undefined ? null : { ...termsOf(highest), group: highest.group },
    };
  });
}

const termsOf = ({ role, expiresAt }: Readonly<{ role: number; expiresAt: Date | null }>) => ({
  role: roleOf([role]) ?? "guest",
  expiresAt,
});

/**
 * The full paths of the groups in which a user is a member directly, and of these with all their descendants; each
 * once, and at most `most` of either. One query along the indexes, however many the memberships are.
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

/** The ids of the projects in which a membership meets the condition, `most` at most. */
export async function projectsWithMembership(
  db: Db,
  where: Prisma.ProjectMemberWhereInput,
  most: number,
): Promise<readonly number[]> {
  const rows = await db.projectMember.findMany({ where, take: most, select: { projectId: true } });
  return rows.map(({ projectId }) => projectId);
}

/** The ids of the groups in which a membership meets the condition, `most` at most. */
export async function groupsWithMembership(
  db: Db,
  where: Prisma.GroupMemberWhereInput,
  most: number,
): Promise<readonly number[]> {
  const rows = await db.groupMember.findMany({ where, take: most, select: { groupId: true } });
  return rows.map(({ groupId }) => groupId);
}
