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
 * What somebody is in a project or a group, by their own membership or by one in a group above it. An administrator
 * is an owner everywhere. Null: nothing.
 */
export async function roleIn(deps: Deps, place: Place, user: User | null): Promise<Role | null> {
  if (user === null) return null;
  if (user.admin) return "owner";
  return roleOf(await store.levelsOf(deps.db, place, user.id, deps.clock()));
}

/** What somebody is in each of these places of one kind, by the place's id; nothing for whom is nothing there. */
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

/** Why somebody cannot be made, changed or removed as a member. */
export type MemberRefusal =
  | "not_allowed"
  | "is_member"
  | "not_member"
  | "last_owner"
  | "lower_than_inherited";

type Change = Readonly<{
  place: Place;
  /** Who does it, and what they are here. */
  by: User;
  held: Role | null;
}>;

type Terms = Readonly<{ role: Role; expiresAt: Date | null }>;

/** Makes somebody a member. What they inherit counts anyway, so less than that is refused. */
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

/** Changes what somebody is here, and until when if that is said. A place keeps an owner of its own. */
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

/** Takes somebody's own membership away; they may leave themselves. A place keeps an owner of its own. */
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

/** In a group, and in a project that lies in none: elsewhere the owners of the group are left. */
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

/** The first member of something new: whoever made it owns it. */
export const addFirstOwner = (deps: Deps, place: Place, user: User): Promise<void> =>
  store.insert(deps.db, place, {
    userId: user.id,
    role: "owner",
    expiresAt: null,
    createdAt: deps.clock(),
  });

export type MemberSearch = Readonly<{ search: string; inherited: boolean }>;

/** A part of the members: those right here, or those of the groups above, too, each once with their highest role. */
export const listMembers = (
  deps: Deps,
  place: Place,
  { search, inherited }: MemberSearch,
  paging: Paging,
): Promise<Page<Member>> =>
  (inherited ? store.listAll : store.listDirect)(deps.db, place, { search, now: deps.clock() }, paging);

/** The same people as `listMembers` with the inherited ones, each with how they come to be one. */
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

/** Somebody's own place here; null when they have none, or it has ended. */
export async function findMember(deps: Deps, place: Place, userId: number): Promise<Member | null> {
  const member = await store.find(deps.db, place, userId);
  const ended = member?.expiresAt !== null && member !== null && member.expiresAt <= deps.clock();
  return ended ? null : member;
}

/** What somebody is here by any membership, with the highest of their roles; null: nothing. */
export async function findMemberAnywhere(deps: Deps, place: Place, userId: number): Promise<Member | null> {
  const ask = { search: "", now: deps.clock(), userId };
  const { rows } = await store.listAll(deps.db, place, ask, { kind: "offset", page: 1, perPage: 1 });
  return rows[0] ?? null;
}

/** What several people are in several projects, and in which of several groups; an administrator is what they are as a member. */
export type RolesAndGroups = Readonly<{
  roleIn: (project: Readonly<{ id: number; groupId: number | null }>, userId: number) => Role | null;
  groupsOf: (userId: number) => ReadonlySet<number>;
}>;

/** That, in two queries however many they are. */
export async function rolesAndGroupsOf(
  deps: Pick<Deps, "db" | "clock">,
  projects: readonly Readonly<{ id: number; groupId: number | null }>[],
  groupIds: readonly number[],
  userIds: readonly number[],
): Promise<RolesAndGroups> {
  const above = projects.flatMap(({ groupId }) => groupId ?? []);
  const asked = { projectIds: projects.map(({ id }) => id), groupIds: [...new Set([...groupIds, ...above])] };
  const { inProjects, inGroups } = await store.membershipsIn(deps.db, asked, userIds, deps.clock());
  return {
    roleIn: ({ id, groupId }, userId) => {
      const own = inProjects.filter((one) => one.userId === userId && one.projectId === id);
      const inherited = inGroups.filter((one) => one.userId === userId && one.groupId === groupId);
      return roleOf([...own, ...inherited].map(({ role }) => role));
    },
    groupsOf: (userId) => new Set(inGroups.flatMap((one) => (one.userId === userId ? [one.groupId] : []))),
  };
}

/** Those with one of these ids or usernames who are members of a place by any membership. */
export const membersAmong = (
  deps: Pick<Deps, "db" | "clock">,
  place: Place,
  users: Readonly<{ userIds: readonly number[]; usernames: readonly string[] }>,
): ReturnType<typeof store.membersAmong> => store.membersAmong(deps.db, place, users, deps.clock());

/** Those of some people and groups who can sign in and are at least that much in a place, by their ids. */
export const listUsersWithRole = (
  deps: Pick<Deps, "db" | "clock">,
  place: Place,
  candidates: store.Candidates,
) => store.listUsersWithRole(deps.db, place, { ...candidates, now: deps.clock() });

/**
 * The reference has no limit. But these lists go out whole, in one document without pages, and who is a member of a
 * group above thousands would be sent them all with every sign-in.
 */
const GROUP_PATHS_MAX = 1000;

/** Full paths of groups in their order; null when they are too many to be listed: a part would pass for all of them. */
type GroupPaths = readonly string[] | null;

/** The groups in which a user is a member directly, and all groups of the user, inherited memberships included. */
export async function groupPathsOf(
  deps: Pick<Deps, "db" | "clock">,
  userId: number,
): Promise<Readonly<{ direct: GroupPaths; all: GroupPaths }>> {
  const limits = { most: GROUP_PATHS_MAX + 1, now: deps.clock() };
  const { direct, all } = await store.groupPathsOf(deps.db, userId, limits);
  const listed = (paths: readonly string[]) => (paths.length > GROUP_PATHS_MAX ? null : paths.toSorted());
  return { direct: listed(direct), all: listed(all) };
}
