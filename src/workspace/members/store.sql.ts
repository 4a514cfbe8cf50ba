import { ROLES } from "@/access/roles";
import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type IsIn, optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";
import type { ProjectOrGroup } from "./rules";

/** The SQL condition that is true if the membership `m` has not expired. */
const CURRENT = `(m."expiresAt" IS NULL OR m."expiresAt" > :now)`;

const LEVELS = statement({
  name: "levels_in_resource",
  parameters: { projectId: integer, groupId: integer, userId: integer, now: time },
  columns: { role: [`l."role"`, integer] },
  sql: (columns) => `
    SELECT ${columns} FROM (
      SELECT m."role" FROM "ProjectMember" m
      WHERE m."projectId" = :projectId AND m."userId" = :userId AND ${CURRENT}
      UNION ALL
      SELECT m."role" FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
      WHERE a."groupId" = :groupId AND m."userId" = :userId AND ${CURRENT}) l`,
});

/** An id that no database row can have. */
const NONE = 0;

/** Returns the access levels of a user in a project or a group and its ancestors. */
export async function levelsOf(
  reads: Reads,
  resource: ProjectOrGroup,
  userId: number,
  now: Date,
): Promise<readonly number[]> {
  const rows = await reads.all(LEVELS, {
    projectId: resource.kind === "project" ? resource.id : NONE,
    groupId: (resource.kind === "group" ? resource.id : resource.groupId) ?? NONE,
    userId,
    now,
  });
  return rows.map(({ role }) => role);
}

const LEVELS_IN_PROJECTS = statement({
  name: "levels_in_projects",
  parameters: { projectIds: integers, userId: integer, now: time },
  columns: { id: [`m."projectId"`, integer], role: [`m."role"`, integer] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "ProjectMember" m
    WHERE m."userId" = :userId AND ${isIn(`m."projectId"`, ":projectIds")} AND ${CURRENT}`,
  ),
});
const LEVELS_IN_GROUPS = statement({
  name: "levels_in_groups",
  parameters: { groupIds: integers, userId: integer, now: time },
  columns: { id: [`a."groupId"`, integer], role: [`m."role"`, integer] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
    WHERE ${isIn(`a."groupId"`, ":groupIds")} AND m."userId" = :userId AND ${CURRENT}`,
  ),
});

/**
 * Returns the access levels of a user in projects or in groups, with the project ids or group ids as keys.
 * The function runs two queries.
 */
export async function levelsByResource(
  reads: Reads,
  resources: readonly ProjectOrGroup[],
  userId: number,
  now: Date,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const projectIds = resources.flatMap(({ kind, id }) => (kind === "project" ? [id] : []));
  const groupIds = [...new Set(resources.flatMap((resource) => groupIdOf(resource) ?? []))];
  const [own, inherited] = await Promise.all([
    reads.all(LEVELS_IN_PROJECTS, { projectIds, userId, now }),
    reads.all(LEVELS_IN_GROUPS, { groupIds, userId, now }),
  ]);
  return new Map(
    resources.map((resource) => [
      resource.id,
      [
        ...own.filter(({ id }) => resource.kind === "project" && id === resource.id),
        ...inherited.filter(({ id }) => id === groupIdOf(resource)),
      ].map(({ role }) => role),
    ]),
  );
}

const ROLES_IN_PROJECTS = statement({
  name: "roles_of_users_in_projects",
  parameters: { projectIds: integers, userIds: integers, now: time },
  columns: {
    userId: [`m."userId"`, integer],
    projectId: [`m."projectId"`, integer],
    role: [`m."role"`, integer],
  },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "ProjectMember" m
    WHERE ${isIn(`m."projectId"`, ":projectIds")} AND ${isIn(`m."userId"`, ":userIds")} AND ${CURRENT}`,
  ),
});
const ROLES_IN_GROUPS = statement({
  name: "roles_of_users_in_groups",
  parameters: { groupIds: integers, userIds: integers, now: time },
  columns: {
    userId: [`m."userId"`, integer],
    groupId: [`a."groupId"`, integer],
    role: [`m."role"`, integer],
  },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
    WHERE ${isIn(`a."groupId"`, ":groupIds")} AND ${isIn(`m."userId"`, ":userIds")} AND ${CURRENT}`,
  ),
});

/** Returns the memberships of users in projects, and in groups and their ancestors, in two queries. */
export async function membershipsIn(
  reads: Reads,
  { projectIds, groupIds }: Readonly<{ projectIds: readonly number[]; groupIds: readonly number[] }>,
  userIds: readonly number[],
  now: Date,
) {
  const [inProjects, inGroups] = await Promise.all([
    reads.all(ROLES_IN_PROJECTS, { projectIds, userIds, now }),
    reads.all(ROLES_IN_GROUPS, { groupIds, userIds, now }),
  ]);
  return { inProjects, inGroups };
}

const groupIdOf = (resource: ProjectOrGroup): number | null =>
  resource.kind === "group" ? resource.id : resource.groupId;

const USER_COLUMNS = {
  id: [`u."id"`, integer],
  username: [`u."username"`, text],
  name: [`u."name"`, text],
  state: [`u."state"`, text],
  avatarDigest: [`u."avatarDigest"`, nullable(text)],
} as const;
const COLUMNS = {
  id: [`m."id"`, integer],
  role: [`m."role"`, integer],
  createdAt: [`m."createdAt"`, time],
  expiresAt: [`m."expiresAt"`, nullable(time)],
  user: USER_COLUMNS,
} as const;

/** A membership with its user. */
export type MemberRow = RowOf<typeof COLUMNS>;

/** The table of a membership, and its column with the id of the project or group. */
const TABLES = {
  project: [`"ProjectMember"`, `"projectId"`],
  group: [`"GroupMember"`, `"groupId"`],
} as const satisfies Record<ProjectOrGroup["kind"], readonly [table: string, resource: string]>;

const memberOf = (kind: ProjectOrGroup["kind"]) =>
  statement({
    name: `${kind}_member`,
    parameters: { resourceId: integer, userId: integer },
    columns: COLUMNS,
    sql: (columns) => `
      SELECT ${columns} FROM ${TABLES[kind][0]} m JOIN "User" u ON u."id" = m."userId"
      WHERE m.${TABLES[kind][1]} = :resourceId AND m."userId" = :userId`,
  });
const MEMBER = { project: memberOf("project"), group: memberOf("group") } as const;

/** Returns a direct membership, or null. */
export const find = (
  reads: Reads,
  { kind, id }: ProjectOrGroup,
  userId: number,
): Eventually<MemberRow | null> => reads.first(MEMBER[kind], { resourceId: id, userId });

const membersById = (kind: ProjectOrGroup["kind"]) =>
  statement({
    name: `${kind}_members`,
    parameters: { ids: integers },
    columns: COLUMNS,
    sql: withList(
      (columns, isIn) => `
      SELECT ${columns} FROM ${TABLES[kind][0]} m JOIN "User" u ON u."id" = m."userId"
      WHERE ${isIn(`m."id"`, ":ids")}`,
    ),
  });
const MEMBERS = { project: membersById("project"), group: membersById("group") } as const;

/** Returns the direct memberships with these ids, in any order. */
export const findByIds = (
  reads: Reads,
  kind: ProjectOrGroup["kind"],
  ids: readonly number[],
): Eventually<readonly MemberRow[]> => reads.all(MEMBERS[kind], { ids });

const directRolesIn = (kind: ProjectOrGroup["kind"]) =>
  statement({
    name: `direct_roles_in_${kind}`,
    parameters: { resourceId: integer, userIds: integers },
    columns: { userId: [`m."userId"`, integer], role: [`m."role"`, integer] },
    sql: withList(
      (columns, isIn) => `
      SELECT ${columns} FROM ${TABLES[kind][0]} m
      WHERE m.${TABLES[kind][1]} = :resourceId AND ${isIn(`m."userId"`, ":userIds")}`,
    ),
  });
const DIRECT_ROLES = { project: directRolesIn("project"), group: directRolesIn("group") } as const;

/** Returns the access levels of the direct memberships of these users. */
export const directRoles = (
  reads: Reads,
  { kind, id }: ProjectOrGroup,
  userIds: readonly number[],
): Eventually<readonly Readonly<{ userId: number; role: number }>[]> =>
  reads.all(DIRECT_ROLES[kind], { resourceId: id, userIds });

const directMembers = (kind: ProjectOrGroup["kind"]) =>
  listStatements({
    name: `direct_members_of_${kind}`,
    parameters: { resourceId: integer, now: time },
    from: () => `${TABLES[kind][0]} r
      WHERE r.${TABLES[kind][1]} = :resourceId AND (r."expiresAt" IS NULL OR r."expiresAt" > :now)`,
    order: `r."id"`,
  });

/** The current direct members of a project or a group, in the order of the ids of the memberships. */
export const DIRECT_MEMBERS = { project: directMembers("project"), group: directMembers("group") } as const;

const ALL_MEMBERSHIPS = statement({
  name: "all_memberships",
  parameters: { projectId: integer, groupIds: integers, userIds: integers, now: time },
  columns: {
    role: [`m."role"`, integer],
    createdAt: [`m."createdAt"`, time],
    expiresAt: [`m."expiresAt"`, nullable(time)],
    user: USER_COLUMNS,
  },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM (
      SELECT m."userId", m."role", m."createdAt", m."expiresAt", 0 AS "inherited", m."id" FROM "ProjectMember" m
      WHERE m."projectId" = :projectId AND ${isIn(`m."userId"`, ":userIds")} AND ${CURRENT}
      UNION ALL
      SELECT m."userId", m."role", m."createdAt", m."expiresAt", 1 AS "inherited", m."id" FROM "GroupMember" m
      WHERE ${isIn(`m."groupId"`, ":groupIds")} AND ${isIn(`m."userId"`, ":userIds")} AND ${CURRENT}) m
    JOIN "User" u ON u."id" = m."userId"
    ORDER BY m."role" DESC, m."inherited", m."id"`,
  ),
});

/**
 * Returns the memberships of users in a project or group and in these groups. For each user, the membership
 * with the highest role comes first. The id of a returned row is the id of the user.
 */
export async function membershipsOfUsers(
  reads: Reads,
  resource: ProjectOrGroup,
  groupIds: readonly number[],
  { userIds, now }: Readonly<{ userIds: readonly number[]; now: Date }>,
): Promise<readonly MemberRow[]> {
  const projectId = resource.kind === "project" ? resource.id : NONE;
  const rows = await reads.all(ALL_MEMBERSHIPS, { projectId, groupIds, userIds, now });
  return rows.map((row) => ({ ...row, id: row.user.id }));
}

const MEMBERSHIP_COLUMNS = {
  userId: [`m."userId"`, integer],
  role: [`m."role"`, integer],
  expiresAt: [`m."expiresAt"`, nullable(time)],
  group: optional({ id: [`g."id"`, integer], fullPath: [`g."fullPath"`, text] }),
} as const;

/** A membership of a user. The group is null if the membership is a membership in a project. */
export type MembershipRow = RowOf<typeof MEMBERSHIP_COLUMNS>;

const DIRECT_AND_INHERITED = statement({
  name: "direct_and_inherited_memberships",
  parameters: { projectId: integer, groupId: integer, userIds: integers, now: time },
  columns: MEMBERSHIP_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM (
      SELECT m."userId", m."role", m."expiresAt", ${NONE} AS "groupId" FROM "ProjectMember" m
      WHERE m."projectId" = :projectId AND ${isIn(`m."userId"`, ":userIds")} AND ${CURRENT}
      UNION ALL
      SELECT m."userId", m."role", m."expiresAt", m."groupId"
      FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
      WHERE a."groupId" = :groupId AND ${isIn(`m."userId"`, ":userIds")} AND ${CURRENT}) m
    LEFT JOIN "Group" g ON g."id" = m."groupId"
    ORDER BY m."role" DESC, m."groupId" DESC`,
  ),
});

/**
 * Returns the memberships of users in a project, in the group of the project or in a group, and in the
 * ancestors of the group. The highest roles come first, and for the same role the latest groups come first.
 */
export const directAndInherited = (
  reads: Reads,
  resource: ProjectOrGroup,
  users: Readonly<{ userIds: readonly number[]; now: Date }>,
): Eventually<readonly MembershipRow[]> =>
  reads.all(DIRECT_AND_INHERITED, {
    ...users,
    projectId: resource.kind === "project" ? resource.id : NONE,
    groupId: groupIdOf(resource) ?? NONE,
  });

const DISTINCT_MEMBERS = statement({
  name: "distinct_members_count",
  isScan: true,
  parameters: { projectId: integer, groupIds: integers, now: time, most: integer },
  columns: { count: [`CAST(count(*) AS INTEGER)`, integer] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM (
      SELECT m."userId" FROM "ProjectMember" m WHERE m."projectId" = :projectId AND ${CURRENT}
      UNION
      SELECT m."userId" FROM "GroupMember" m WHERE ${isIn(`m."groupId"`, ":groupIds")} AND ${CURRENT}
      LIMIT :most) m`,
  ),
});

/** Counts the users who are members of a project or group or of these groups, up to `most`. */
export async function countDistinctMembers(
  reads: Reads,
  resource: ProjectOrGroup,
  query: Readonly<{ groupIds: readonly number[]; now: Date; most: number }>,
): Promise<number> {
  const projectId = resource.kind === "project" ? resource.id : NONE;
  return (await reads.first(DISTINCT_MEMBERS, { ...query, projectId }))?.count ?? 0;
}

const withMembership = (kind: ProjectOrGroup["kind"]) =>
  statement({
    name: `${kind}s_with_membership`,
    parameters: { userId: integer, minLevel: integer, now: time, most: integer },
    columns: { id: [`m.${TABLES[kind][1]}`, integer] },
    sql: (columns) => `
      SELECT ${columns} FROM ${TABLES[kind][0]} m
      WHERE m."userId" = :userId AND m."role" >= :minLevel AND ${CURRENT} LIMIT :most`,
  });
const WITH_MEMBERSHIP = { project: withMembership("project"), group: withMembership("group") } as const;

/**
 * Returns at most `most` ids of projects or groups in which a user has a membership with a minimum access
 * level.
 */
export async function resourcesWithMembership(
  reads: Reads,
  kind: ProjectOrGroup["kind"],
  membership: Readonly<{ userId: number; minLevel: number; now: Date }>,
  most: number,
): Promise<readonly number[]> {
  return (await reads.all(WITH_MEMBERSHIP[kind], { ...membership, most })).map(({ id }) => id);
}

/** Returns the SQL condition that selects the users `u` who are members of one of the candidate groups. */
const isCandidate = (isIn: IsIn): string => `EXISTS (
  SELECT 1 FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
  WHERE ${isIn(`a."groupId"`, ":groupIds")} AND m."userId" = u."id" AND ${CURRENT})`;

const candidatesWithRole = (candidates: "users" | "users_and_groups") =>
  statement({
    name: `${candidates}_with_role`,
    isScan: candidates === "users_and_groups",
    parameters: {
      ...{ projectId: integer, ancestorIds: integers, level: integer, now: time },
      ...{ userIds: integers, groupIds: integers, most: integer },
    },
    columns: {
      id: [`u."id"`, integer],
      username: [`u."username"`, text],
      name: [`u."name"`, text],
      avatarDigest: [`u."avatarDigest"`, nullable(text)],
    },
    sql: withList(
      (columns, isIn) => `
      SELECT ${columns} FROM "User" u
      WHERE u."state" = 'active'
        AND (${isIn(`u."id"`, ":userIds")}${candidates === "users" ? "" : ` OR ${isCandidate(isIn)}`})
        AND (u."admin" = TRUE
          OR EXISTS (SELECT 1 FROM "ProjectMember" m WHERE m."projectId" = :projectId
            AND m."userId" = u."id" AND m."role" >= :level AND ${CURRENT})
          OR EXISTS (SELECT 1 FROM "GroupMember" m WHERE ${isIn(`m."groupId"`, ":ancestorIds")}
            AND m."userId" = u."id" AND m."role" >= :level AND ${CURRENT}))
      ORDER BY u."id" LIMIT :most`,
    ),
  });
const USERS_WITH_ROLE = candidatesWithRole("users");
const CANDIDATES_WITH_ROLE = candidatesWithRole("users_and_groups");

/**
 * Returns the first active users, ordered by id, who are candidates and have a minimum access level in a project or
 * group.
 * @param query.ancestorIds the ids of the group and of its ancestors.
 * @param query.groupIds the candidate groups, whose members are candidates.
 */
export const usersWithRole = (
  reads: Reads,
  resource: ProjectOrGroup,
  query: Readonly<{
    ancestorIds: readonly number[];
    userIds: readonly number[];
    groupIds: readonly number[];
    level: number;
    most: number;
    now: Date;
  }>,
): Eventually<
  readonly Readonly<{ id: number; username: string; name: string; avatarDigest: string | null }>[]
> =>
  // Without candidate groups, the databases look up the users by their ids instead of reading all users.
  reads.all(query.groupIds.length === 0 ? USERS_WITH_ROLE : CANDIDATES_WITH_ROLE, {
    ...query,
    projectId: resource.kind === "project" ? resource.id : NONE,
  });

const GROUPS_OF_USERS = statement({
  name: "groups_of_users",
  parameters: { groupIds: integers, userIds: integers, now: time },
  columns: { userId: [`m."userId"`, integer], groupId: [`a."groupId"`, integer] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
    WHERE ${isIn(`a."groupId"`, ":groupIds")} AND ${isIn(`m."userId"`, ":userIds")} AND ${CURRENT}`,
  ),
});

/** Returns those of the given groups in which the users are direct or inherited members. */
export const groupsOfUsers = (
  reads: Reads,
  query: Readonly<{ groupIds: readonly number[]; userIds: readonly number[]; now: Date }>,
): Eventually<readonly Readonly<{ userId: number; groupId: number }>[]> => reads.all(GROUPS_OF_USERS, query);

/**
 * The permanent memberships `m` as Owner of a user, with the group `g`, in groups of which no other active
 * human is a permanent owner. A deactivated user does not count as an owner, because the deletion of this user
 * may have been requested.
 */
const SOLE_OWNED = `
  "GroupMember" m JOIN "Group" g ON g."id" = m."groupId"
  WHERE m."userId" = :userId AND m."role" = ${ROLES.owner.level} AND m."expiresAt" IS NULL AND NOT EXISTS (
    SELECT 1 FROM "GroupAncestor" a
    JOIN "GroupMember" o ON o."groupId" = a."ancestorId" AND o."userId" <> :userId
      AND o."role" = ${ROLES.owner.level} AND o."expiresAt" IS NULL
    JOIN "User" u ON u."id" = o."userId" AND u."kind" = 'human' AND u."state" = 'active'
    WHERE a."groupId" = g."id")`;

const SOLE_OWNED_GROUPS = statement({
  name: "sole_owned_groups",
  parameters: { userId: integer, most: integer },
  columns: { id: [`g."id"`, integer], fullPath: [`g."fullPath"`, text] },
  sql: (columns) => `SELECT ${columns} FROM ${SOLE_OWNED} ORDER BY g."fullPathLower" LIMIT :most`,
});

/**
 * Returns the first groups of which a user is the only permanent owner: no other active user is a permanent
 * owner of such a group or of its ancestors.
 */
export const groupsOwnedAlone = (
  reads: Reads,
  userId: number,
  most: number,
): Eventually<readonly Readonly<{ id: number; fullPath: string }>[]> =>
  reads.all(SOLE_OWNED_GROUPS, { userId, most });

const SOLE_OWNED_ANCESTOR = statement({
  name: "sole_owned_ancestor",
  parameters: { userId: integer, groupId: integer },
  columns: { id: [`g."id"`, integer] },
  sql: (columns) => `
    SELECT ${columns} FROM ${SOLE_OWNED} AND EXISTS (
      SELECT 1 FROM "GroupAncestor" b WHERE b."groupId" = :groupId AND b."ancestorId" = g."id")
    LIMIT 1`,
});

/** Returns whether a user is the only permanent owner of a group or of one of its ancestors. */
export const ownsAlone = async (reads: Reads, userId: number, groupId: number): Promise<boolean> =>
  (await reads.first(SOLE_OWNED_ANCESTOR, { userId, groupId })) !== null;
