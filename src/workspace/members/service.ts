import type { User } from "@/access/principal";
import { type Role, reaches, roleOf } from "@/access/roles";
import * as audit from "@/instance/audit/service";
import type { Db } from "@/kernel/db/db";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import * as candidateStore from "./candidate-store";
import * as listStore from "./list-store";
import * as membershipStore from "./membership-store";
import * as ownerStore from "./owner-store";
import { type Member, type Membership, mayManage, type ProjectOrGroup } from "./rules";
import * as store from "./store";
import { groupsOwnedAlone, levelsByResource, levelsOf, membershipsIn, ownsAlone } from "./store.sql";

/**
 * Returns the role of a user in a project or a group, or null. Inherited memberships are included. Administrators have
 * the owner role in all projects and groups.
 */
export async function roleIn(deps: Deps, resource: ProjectOrGroup, user: User | null): Promise<Role | null> {
  if (user === null) return null;
  if (user.admin) return "owner";
  return roleOf(await levelsOf(deps.reads, resource, user.id, deps.clock()));
}

/** Returns whether a user has the role Owner in a group. Inherited memberships are included. */
export const isGroupOwner = async (deps: Deps, user: User, groupId: number): Promise<boolean> =>
  reaches(await roleIn(deps, { kind: "group", id: groupId, fullPath: "" }, user), "owner");

/**
 * Returns the roles of a user in projects or in groups, with the ids of the projects or groups as keys.
 * Projects and groups in which the user has no role have no entry.
 */
export async function rolesIn(
  deps: Deps,
  resources: readonly ProjectOrGroup[],
  user: User | null,
): Promise<ReadonlyMap<number, Role>> {
  if (user === null || resources.length === 0) return new Map();
  const levels = await levelsByResource(deps.reads, resources, user.id, deps.clock());
  return new Map(
    [...levels].flatMap(([id, held]) => {
      const role = user.admin ? "owner" : roleOf(held);
      return role === null ? [] : [[id, role] as const];
    }),
  );
}

/** The reason why a member cannot be added, changed or removed. */
export type MemberRefusal =
  | "not_allowed"
  | "is_member"
  | "not_member"
  | "last_owner"
  | "lower_than_inherited";

type Change = Readonly<{
  resource: ProjectOrGroup;
  /** The user who changes a membership. `held` is the role of this user in the project or group. */
  by: User;
  held: Role | null;
}>;

type Terms = Readonly<{ role: Role; expiresAt: Date | null }>;

/**
 * Adds a member. The bot of an access token cannot become a member of another project or group. A role that is
 * lower than the new member's inherited role is refused, because it would have no effect. The result is
 * `not_member` if the project or group no longer exists.
 */
export async function addMember(
  deps: Deps,
  { resource, by, held }: Change,
  user: User,
  { role, expiresAt }: Terms,
): Promise<Member | MemberRefusal> {
  if (!mayManage(resource, held, [role]) || user.kind === "access_token_bot") return "not_allowed";
  const refusal = await deps.transaction(async (within): Promise<MemberRefusal | null> => {
    // Without the lock, a simultaneous request could add the member after the check. The violated constraint would
    // abort the transaction of a caller that adds the member as a part of its transaction.
    if (!(await store.lock(within.db, resource))) return "not_member";
    if (await inheritsMore(within, resource, user.id, role)) return "lower_than_inherited";
    await store.removeEnded(within.db, resource, user.id, within.clock());
    if ((await store.find(within.reads, resource, user.id)) !== null) return "is_member";
    await store.insert(within.db, resource, {
      userId: user.id,
      role,
      expiresAt,
      createdAt: within.clock(),
    });
    await recordAuditEvent(within, "member.added", { resource, by, userId: user.id, role });
    return null;
  });
  return refusal ?? (await store.find(deps.reads, resource, user.id)) ?? "not_member";
}

/**
 * Changes the role of a member. If `expiresAt` is given, the expiry date is changed too. The last permanent owner
 * cannot be changed.
 */
export async function changeMember(
  deps: Deps,
  { resource, by, held }: Change,
  userId: number,
  { role, expiresAt }: Readonly<{ role: Role; expiresAt?: Date | null | undefined }>,
): Promise<Member | MemberRefusal> {
  const refusal = await deps.transaction(async (within): Promise<MemberRefusal | null> => {
    await store.lock(within.db, resource);
    const before = await findMember(within, resource, userId);
    if (before === null) return "not_member";
    if (!mayManage(resource, held, [before.role, role])) return "not_allowed";
    if (await inheritsMore(within, resource, userId, role)) return "lower_than_inherited";
    const until = expiresAt === undefined ? before.expiresAt : expiresAt;
    const staysOwner = role === "owner" && until === null;
    if (!staysOwner && (await isLastOwner(within.db, resource, before))) return "last_owner";
    await store.update(within.db, resource, userId, { role, expiresAt: until });
    await recordAuditEvent(within, "member.changed", { resource, by, userId, role });
    return null;
  });
  return refusal ?? (await store.find(deps.reads, resource, userId)) ?? "not_member";
}

/** Removes a direct member. Users may remove themselves. The last permanent owner cannot be removed. */
export const removeMember = (
  deps: Deps,
  { resource, by, held }: Change,
  userId: number,
): Promise<MemberRefusal | null> =>
  deps.transaction(async (within) => {
    await store.lock(within.db, resource);
    const before = await findMember(within, resource, userId);
    if (before === null) return "not_member";
    if (userId !== by.id && !mayManage(resource, held, [before.role])) return "not_allowed";
    if (await isLastOwner(within.db, resource, before)) return "last_owner";
    await store.remove(within.db, resource, userId);
    await recordAuditEvent(within, "member.removed", { resource, by, userId, role: before.role });
    return null;
  });

/**
 * Returns whether a member is the last permanent owner. A project in a group does not need its own permanent
 * owner, because it inherits the owners of the group.
 */
async function isLastOwner(db: Db, resource: ProjectOrGroup, member: Member): Promise<boolean> {
  if (member.role !== "owner" || (resource.kind === "project" && resource.groupId !== null)) return false;
  return (await ownerStore.countOtherOwners(db, resource, member.user.id)) === 0;
}

async function inheritsMore(
  deps: Deps,
  resource: ProjectOrGroup,
  userId: number,
  role: Role,
): Promise<boolean> {
  const inherited = roleOf(await membershipStore.inheritedLevels(deps.db, resource, userId, deps.clock()));
  return inherited !== null && !reaches(role, inherited);
}

type Recorded = Readonly<{ resource: ProjectOrGroup; by: User | null; userId: number; role: Role }>;

const recordAuditEvent = (
  deps: Deps,
  name: "member.added" | "member.changed" | "member.removed",
  { resource, by, userId, role }: Recorded,
): Promise<void> =>
  audit.record(
    deps,
    name,
    { kind: resource.kind, id: resource.id, path: resource.fullPath, role },
    {
      userId,
      actorId: by === null || by.id === userId ? null : by.id,
    },
  );

const SOLE_OWNED_MAX = 100;

/** Returns the first groups of which a user is the only permanent owner. */
export const soleOwnedGroups = async (
  deps: Pick<Deps, "reads">,
  userId: number,
): Promise<readonly Readonly<{ id: number; fullPath: string }>[]> =>
  groupsOwnedAlone(deps.reads, userId, SOLE_OWNED_MAX);

const MEMBERSHIPS_MAX = 10_000;

/** Returns the direct memberships of a user, for the export of the user's data. */
export async function membershipsOfUser(deps: Pick<Deps, "db">, userId: number) {
  const rows = await membershipStore.membershipsOfUser(deps.db, userId, MEMBERSHIPS_MAX);
  return rows.map(({ kind, path, role, createdAt, expiresAt }) => ({
    kind,
    path,
    role: roleOf([role]),
    created_at: createdAt,
    expires_at: expiresAt,
  }));
}

/** Makes the user who created a project or a group its owner. */
export const addFirstOwner = (deps: Deps, resource: ProjectOrGroup, user: User): Promise<void> =>
  store.insert(deps.db, resource, {
    userId: user.id,
    role: "owner",
    expiresAt: null,
    createdAt: deps.clock(),
  });

const MANAGERS_MAX = 100;

/** Returns the ids of the first direct and inherited members with a minimum access level. */
export const managerIds = (
  deps: Pick<Deps, "db" | "reads" | "clock">,
  resource: ProjectOrGroup,
  least: number,
): Promise<readonly number[]> =>
  candidateStore.idsWithLevel(deps, resource, { least, now: deps.clock(), most: MANAGERS_MAX });

/**
 * Gives a user the permanent role Owner in a project or a group, in the transaction of `deps`.
 * @param by the user who causes the change; null for the command line.
 */
export async function makeOwner(
  deps: Deps,
  resource: ProjectOrGroup,
  user: User,
  by: User | null,
): Promise<void> {
  await store.removeEnded(deps.db, resource, user.id, deps.clock());
  const before = await store.find(deps.reads, resource, user.id);
  if (before?.role === "owner" && before.expiresAt === null) return;
  if (before === null) await addFirstOwner(deps, resource, user);
  else await store.update(deps.db, resource, user.id, { role: "owner", expiresAt: null });
  const name = before === null ? "member.added" : "member.changed";
  await recordAuditEvent(deps, name, { resource, by, userId: user.id, role: "owner" });
}

/** Locks the row of a project or a group until the transaction ends. @returns false if the row does not exist. */
export const lockProjectOrGroup = ({ db }: Pick<Deps, "db">, resource: ProjectOrGroup): Promise<boolean> =>
  store.lock(db, resource);

/**
 * Returns whether a group is also deleted when a user is deleted together with the user's contributions. The
 * result is true if the user is the only permanent owner of the group or of one of its ancestors.
 */
export const isInSoleOwnedGroup = (
  deps: Pick<Deps, "reads">,
  userId: number,
  groupId: number,
): Promise<boolean> => ownsAlone(deps.reads, userId, groupId);

/** Adds the bot of an access token as a member, in the transaction of `deps`. */
export const addBot = (deps: Deps, resource: ProjectOrGroup, userId: number, role: Role): Promise<void> =>
  store.insert(deps.db, resource, { userId, role, expiresAt: null, createdAt: deps.clock() });

/** Removes the bot of an access token from the members, in the transaction of `deps`. */
export const removeBot = (deps: Deps, resource: ProjectOrGroup, userId: number): Promise<boolean> =>
  store.remove(deps.db, resource, userId);

/**
 * Returns the roles of the direct memberships of users in a project or a group, with the user ids as keys.
 */
export const directRoles = async (
  deps: Pick<Deps, "reads">,
  resource: ProjectOrGroup,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Role>> => store.directRoles(deps.reads, resource, userIds);

export type MemberSearch = Readonly<{ search: string; inherited: boolean }>;

/**
 * Returns a page of the direct members, or of the direct and inherited members, of a project or a group. If
 * inherited members are included, each member has the highest of their roles.
 */
export const listMembers = (
  deps: Deps,
  resource: ProjectOrGroup,
  { search, inherited }: MemberSearch,
  paging: Paging,
): Promise<Page<Member>> =>
  (inherited ? listStore.listAll : listStore.listDirect)(
    deps,
    resource,
    { search, now: deps.clock() },
    paging,
  );

/** Returns a page of all members of a project or a group, with their direct and inherited memberships. */
export async function listMemberships(
  deps: Deps,
  resource: ProjectOrGroup,
  search: string,
  paging: Paging,
): Promise<Page<Membership>> {
  const page = await listMembers(deps, resource, { search, inherited: true }, paging);
  const users = page.rows.map(({ user }) => user);
  return { ...page, rows: await membershipStore.membershipsOf(deps.reads, resource, users, deps.clock()) };
}

/**
 * Returns the direct membership of a user; null if the user has no direct membership or the membership has
 * expired.
 */
export async function findMember(
  deps: Deps,
  resource: ProjectOrGroup,
  userId: number,
): Promise<Member | null> {
  const member = await store.find(deps.reads, resource, userId);
  const ended = member?.expiresAt !== null && member !== null && member.expiresAt <= deps.clock();
  return ended ? null : member;
}

/** Returns a direct or inherited member with the highest of their roles, or null. */
export const findMemberAnywhere = (
  deps: Deps,
  resource: ProjectOrGroup,
  userId: number,
): Promise<Member | null> => listStore.findAnywhere(deps.reads, resource, userId, deps.clock());

/**
 * The roles of users in projects, and the groups of which the users are members. For administrators, only the
 * roles of their memberships are included.
 */
export type RolesAndGroups = Readonly<{
  roleIn: (project: Readonly<{ id: number; groupId: number | null }>, userId: number) => Role | null;
  groupsOf: (userId: number) => ReadonlySet<number>;
}>;

/**
 * Returns the roles of users in projects, and the groups of which the users are members. The function runs
 * two queries.
 */
export async function rolesAndGroupsOf(
  deps: Pick<Deps, "reads" | "clock">,
  projects: readonly Readonly<{ id: number; groupId: number | null }>[],
  groupIds: readonly number[],
  userIds: readonly number[],
): Promise<RolesAndGroups> {
  const parentIds = projects.flatMap(({ groupId }) => groupId ?? []);
  const scope = {
    projectIds: projects.map(({ id }) => id),
    groupIds: [...new Set([...groupIds, ...parentIds])],
  };
  const { inProjects, inGroups } = await membershipsIn(deps.reads, scope, userIds, deps.clock());
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

/** Returns those of the given users who are direct or inherited members of a project or a group. */
export const membersAmong = (
  deps: Pick<Deps, "db" | "reads" | "clock">,
  resource: ProjectOrGroup,
  users: Readonly<{ userIds: readonly number[]; usernames: readonly string[] }>,
): ReturnType<typeof candidateStore.membersAmong> =>
  candidateStore.membersAmong(deps, resource, users, deps.clock());

/** Returns the active candidates who have a minimum role in a project or a group, ordered by id. */
export const listUsersWithRole = (
  deps: Pick<Deps, "db" | "reads" | "clock">,
  resource: ProjectOrGroup,
  candidates: candidateStore.Candidates,
) => candidateStore.listUsersWithRole(deps.reads, resource, { ...candidates, now: deps.clock() });

/**
 * The maximum number of groups in the claim `groups`. In GitLab, the number of groups in a claim is not
 * limited. Claims have no pagination, so members of a group with thousands of descendants would receive all
 * paths at every sign-in.
 */
const GROUP_PATHS_MAX = 1000;

/**
 * The sorted full paths of groups; null if there are more than the limit, because a partial list would look complete.
 */
type GroupPaths = readonly string[] | null;

/**
 * Returns the full paths of the groups of which a user is a direct member, and of all groups of which the
 * user is a direct or inherited member.
 */
export async function groupPathsOf(
  deps: Pick<Deps, "db" | "clock">,
  userId: number,
): Promise<Readonly<{ direct: GroupPaths; all: GroupPaths }>> {
  const limits = { most: GROUP_PATHS_MAX + 1, now: deps.clock() };
  const { direct, all } = await membershipStore.groupPathsOf(deps.db, userId, limits);
  const listed = (paths: readonly string[]) => (paths.length > GROUP_PATHS_MAX ? null : paths.toSorted());
  return { direct: listed(direct), all: listed(all) };
}
