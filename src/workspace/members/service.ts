import type { User } from "@/access/principal";
import { type Role, reaches, roleOf } from "@/access/roles";
import * as audit from "@/instance/audit/service";
import type { Db } from "@/kernel/db/db";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { type Member, type Membership, mayManage, type Place } from "./rules";
import * as store from "./store";

/**
 * Returns the role of a user in a project or a group, inherited memberships included, or null. Administrators have the
 * owner role everywhere.
 */
export async function roleIn(deps: Deps, place: Place, user: User | null): Promise<Role | null> {
  if (user === null) return null;
  if (user.admin) return "owner";
  return roleOf(await store.levelsOf(deps.db, place, user.id, deps.clock()));
}

/** Returns the roles of a user by id of the projects, or of the groups. Entries without a role are absent. */
export async function rolesIn(
  deps: Deps,
  places: readonly Place[],
  user: User | null,
): Promise<ReadonlyMap<number, Role>> {
  if (user === null || places.length === 0) return new Map();
  const levels = await store.levelsByPlace(deps.db, places, user.id, deps.clock());
  return new Map(
    [...levels].flatMap(([id, held]) => {
      const role = user.admin ? "owner" : roleOf(held);
      return role === null ? [] : [[id, role] as const];
    }),
  );
}

/** Why a member cannot be added, changed or removed. */
export type MemberRefusal =
  | "not_allowed"
  | "is_member"
  | "not_member"
  | "last_owner"
  | "lower_than_inherited";

type Change = Readonly<{
  place: Place;
  /** The user who makes the change. `held` is the role of this user. */
  by: User;
  held: Role | null;
}>;

type Terms = Readonly<{ role: Role; expiresAt: Date | null }>;

/** Adds a member. Refuses a role lower than an inherited role, since it would have no effect. */
export async function addMember(
  deps: Deps,
  { place, by, held }: Change,
  user: User,
  { role, expiresAt }: Terms,
): Promise<Member | MemberRefusal> {
  if (!mayManage(place, held, [role])) return "not_allowed";
  if (await inheritsMore(deps, place, user.id, role)) return "lower_than_inherited";
  try {
    await deps.transaction(async (within) => {
      await store.removeEnded(within.db, place, user.id, within.clock());
      await store.insert(within.db, place, { userId: user.id, role, expiresAt, createdAt: within.clock() });
      await recordAuditEvent(within, "member.added", { place, by, userId: user.id, role });
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return "is_member";
    throw cause;
  }
  return (await store.find(deps.db, place, user.id)) ?? "not_member";
}

/** Changes the role and, if given, the expiry of a member. Keeps at least one permanent owner. */
export async function changeMember(
  deps: Deps,
  { place, by, held }: Change,
  userId: number,
  { role, expiresAt }: Readonly<{ role: Role; expiresAt?: Date | null | undefined }>,
): Promise<Member | MemberRefusal> {
  const refusal = await deps.transaction(async (within): Promise<MemberRefusal | null> => {
    await store.lock(within.db, place);
    const before = await findMember(within, place, userId);
    if (before === null) return "not_member";
    if (!mayManage(place, held, [before.role, role])) return "not_allowed";
    if (await inheritsMore(within, place, userId, role)) return "lower_than_inherited";
    const until = expiresAt === undefined ? before.expiresAt : expiresAt;
    const staysOwner = role === "owner" && until === null;
    if (!staysOwner && (await isLastOwner(within.db, place, before))) return "last_owner";
    await store.update(within.db, place, userId, { role, expiresAt: until });
    await recordAuditEvent(within, "member.changed", { place, by, userId, role });
    return null;
  });
  return refusal ?? (await store.find(deps.db, place, userId)) ?? "not_member";
}

/** Removes a direct member. Users may remove themselves. Keeps at least one permanent owner. */
export const removeMember = (
  deps: Deps,
  { place, by, held }: Change,
  userId: number,
): Promise<MemberRefusal | null> =>
  deps.transaction(async (within) => {
    await store.lock(within.db, place);
    const before = await findMember(within, place, userId);
    if (before === null) return "not_member";
    if (userId !== by.id && !mayManage(place, held, [before.role])) return "not_allowed";
    if (await isLastOwner(within.db, place, before)) return "last_owner";
    await store.remove(within.db, place, userId);
    await recordAuditEvent(within, "member.removed", { place, by, userId, role: before.role });
    return null;
  });

/** Returns whether a member is the last permanent owner. Projects in a group also have the owners of the group. */
async function isLastOwner(db: Db, place: Place, member: Member): Promise<boolean> {
  if (member.role !== "owner" || (place.kind === "project" && place.groupId !== null)) return false;
  return (await store.countOtherOwners(db, place, member.user.id)) === 0;
}

async function inheritsMore(deps: Deps, place: Place, userId: number, role: Role): Promise<boolean> {
  const inherited = roleOf(await store.inheritedLevels(deps.db, place, userId, deps.clock()));
  return inherited !== null && !reaches(role, inherited);
}

type Recorded = Readonly<{ place: Place; by: User; userId: number; role: Role }>;

const recordAuditEvent = (
  deps: Deps,
  name: "member.added" | "member.changed" | "member.removed",
  { place, by, userId, role }: Recorded,
): Promise<void> =>
  audit.record(
    deps,
    name,
    { kind: place.kind, id: place.id, path: place.fullPath, role },
    {
      userId,
      actorId: by.id === userId ? null : by.id,
    },
  );

/** Adds the creator of a project or group as its owner. */
export const addFirstOwner = (deps: Deps, place: Place, user: User): Promise<void> =>
  store.insert(deps.db, place, {
    userId: user.id,
    role: "owner",
    expiresAt: null,
    createdAt: deps.clock(),
  });

export type MemberSearch = Readonly<{ search: string; inherited: boolean }>;

/** Returns a page of the direct members, or of all members with the highest role of each. */
export const listMembers = (
  deps: Deps,
  place: Place,
  { search, inherited }: MemberSearch,
  paging: Paging,
): Promise<Page<Member>> =>
  (inherited ? store.listAll : store.listDirect)(deps.db, place, { search, now: deps.clock() }, paging);

/** Returns a page of all members with their direct and inherited memberships. */
export async function listMemberships(
  deps: Deps,
  place: Place,
  search: string,
  paging: Paging,
): Promise<Page<Membership>> {
  const page = await listMembers(deps, place, { search, inherited: true }, paging);
  const users = page.rows.map(({ user }) => user);
  return { ...page, rows: await store.membershipsOf(deps.db, place, users, deps.clock()) };
}

/** Returns the direct membership of a user; null where there is none or it has expired. */
export async function findMember(deps: Deps, place: Place, userId: number): Promise<Member | null> {
  const member = await store.find(deps.db, place, userId);
  const ended = member?.expiresAt !== null && member !== null && member.expiresAt <= deps.clock();
  return ended ? null : member;
}

/** Returns a direct or inherited member with the highest role, or null. */
export async function findMemberAnywhere(deps: Deps, place: Place, userId: number): Promise<Member | null> {
  const filter = { search: "", now: deps.clock(), userId };
  const { rows } = await store.listAll(deps.db, place, filter, { kind: "offset", page: 1, perPage: 1 });
  return rows[0] ?? null;
}

/** The roles of users in projects, and their groups. Administrators have only the roles of their memberships. */
export type RolesAndGroups = Readonly<{
  roleIn: (project: Readonly<{ id: number; groupId: number | null }>, userId: number) => Role | null;
  groupsOf: (userId: number) => ReadonlySet<number>;
}>;

/** Returns the roles of users in projects and their membership in groups, in two queries. */
export async function rolesAndGroupsOf(
  deps: Pick<Deps, "db" | "clock">,
  projects: readonly Readonly<{ id: number; groupId: number | null }>[],
  groupIds: readonly number[],
  userIds: readonly number[],
): Promise<RolesAndGroups> {
  const parentIds = projects.flatMap(({ groupId }) => groupId ?? []);
  const scope = {
    projectIds: projects.map(({ id }) => id),
    groupIds: [...new Set([...groupIds, ...parentIds])],
  };
  const { inProjects, inGroups } = await store.membershipsIn(deps.db, scope, userIds, deps.clock());
  return {
    roleIn: ({ id, groupId }, userId) => {
      const own = inProjects.filter(
        (membership) => membership.userId === userId && membership.projectId === id,
      );
      const inherited = inGroups.filter(
        (membership) => membership.userId === userId && membership.groupId === groupId,
      );
      return roleOf([...own, ...inherited].map(({ role }) => role));
    },
    groupsOf: (userId) =>
      new Set(inGroups.flatMap((membership) => (membership.userId === userId ? [membership.groupId] : []))),
  };
}

/** Returns the users with these ids or usernames who are direct or inherited members. */
export const membersAmong = (
  deps: Pick<Deps, "db" | "clock">,
  place: Place,
  users: Readonly<{ userIds: readonly number[]; usernames: readonly string[] }>,
): ReturnType<typeof store.membersAmong> => store.membersAmong(deps.db, place, users, deps.clock());

/** Returns the active users among the candidates who have at least a role in a project or group, ordered by id. */
export const listUsersWithRole = (
  deps: Pick<Deps, "db" | "clock">,
  place: Place,
  candidates: store.Candidates,
) => store.listUsersWithRole(deps.db, place, { ...candidates, now: deps.clock() });

/**
 * GitLab has no limit. These lists are claims without pagination: members of a group with thousands of descendants would
 * receive all of them at every sign-in.
 */
const GROUP_PATHS_MAX = 1000;

/** Sorted full paths of groups; null above the limit, since a partial list would look complete. */
type GroupPaths = readonly string[] | null;

/** Returns the groups of which a user is a direct member, and all groups of the user. */
export async function groupPathsOf(
  deps: Pick<Deps, "db" | "clock">,
  userId: number,
): Promise<Readonly<{ direct: GroupPaths; all: GroupPaths }>> {
  const limits = { most: GROUP_PATHS_MAX + 1, now: deps.clock() };
  const { direct, all } = await store.groupPathsOf(deps.db, userId, limits);
  const listed = (paths: readonly string[]) => (paths.length > GROUP_PATHS_MAX ? null : paths.toSorted());
  return { direct: listed(direct), all: listed(all) };
}
