import { isBot, type User } from "@/access/principal";
import { reaches } from "@/access/roles";
import { isMoreOpen, openTo, type Visibility } from "@/access/visibility";
import { existingUsernames, find as findUser } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import { firstPage, type Page, type Paging } from "@/kernel/paging/paging";
import { applicationsInGroup, removeApplicationsInGroup } from "@/oauth/applications/group-removal";
import { announceProjectsRemoved } from "../lifecycle/project-lifecycle";
import { addFirstOwner, lockProjectOrGroup, roleIn } from "../members/service";
import {
  descriptionProblem,
  type FieldErrors,
  fieldErrorsOf,
  nameProblem,
  pathProblem,
} from "../naming/path";
import {
  type AuthorizedGroup,
  authorizeGroup,
  depthOf,
  GROUP_DEPTH_MAX,
  type Group,
  isMemberOfAll,
  visibilityProblem,
} from "./rules";
import * as store from "./store";

/**
 * Returns a group that a user can see, with the role of the user.
 * @param reference the id of the group, or its full path regardless of letter case.
 * @returns null if the group does not exist or is hidden from the user.
 */
export async function findGroup(
  deps: Deps,
  reference: string,
  user: User | null,
): Promise<AuthorizedGroup | null> {
  const group = await findByReference(deps, reference);
  // The function runs the same statements for hidden and unknown groups, so that the response time does not
  // reveal a group.
  const resource = group === null ? ({ kind: "group", id: 0, fullPath: "" } as const) : resourceOf(group);
  const role = await roleIn(deps, resource, user);
  const viewer = { signedIn: user !== null, role };
  const authorized = group === null ? null : authorizeGroup(group, viewer);
  if (authorized !== null || user === null) return authorized;
  const filter = { ...unfiltered(deps), open: [], viewerId: user.id };
  const isMemberOfDescendant = await store.isVisibleTo(deps, resource.id, filter);
  return group === null ? null : authorizeGroup(group, viewer, isMemberOfDescendant);
}

/**
 * Returns a group, authorized with the role Owner, for the operator at the command line; null if the group
 * does not exist.
 */
export async function findGroupAsOperator(deps: Deps, reference: string): Promise<AuthorizedGroup | null> {
  const group = await findByReference(deps, reference);
  return group === null ? null : authorizeGroup(group, { signedIn: true, role: "owner" });
}

const findByReference = ({ reads }: Deps, reference: string): Promise<Group | null> =>
  /^\d{1,9}$/.test(reference) ? store.findById(reads, Number(reference)) : store.findByPath(reads, reference);

/**
 * Returns the group of a database row that was loaded together with another row, such as the row of a
 * project.
 */
export const groupOf = store.groupFrom;

export const resourceOf = ({ id, fullPath }: Group) => ({ kind: "group", id, fullPath }) as const;

const unfiltered = ({ clock }: Deps): store.GroupFilter => ({
  open: null,
  viewerId: null,
  search: "",
  memberOnly: false,
  minLevel: 0,
  parentId: undefined,
  ids: undefined,
  descending: false,
  now: clock(),
});

export type GroupSearch = Readonly<Partial<Omit<store.GroupFilter, "open" | "viewerId" | "now">>>;

/**
 * Returns a page of the groups that a user can see, ordered by id. `memberOnly` must not be set for anonymous callers.
 */
export const listGroups = (
  deps: Deps,
  user: User | null,
  search: GroupSearch,
  paging: Paging,
): Promise<Page<Group>> => {
  const open = user?.admin ? null : openTo(user !== null);
  return store.list(deps, { ...unfiltered(deps), ...search, open, viewerId: user?.id ?? null }, paging);
};

/**
 * Returns at most `most` groups of which a user is a member and whose name or path contains the search text.
 */
export const findMatchingGroups = async (
  deps: Deps,
  user: User,
  search: string,
  most: number,
): Promise<readonly Group[]> => {
  const paging = firstPage(most, { descending: false });
  return (await listGroups(deps, user, { search, memberOnly: true }, paging)).rows.slice(0, most);
};

/** Returns the exact number of groups that match the filter of a list. */
export const countGroups = (deps: Deps, user: User | null, search: GroupSearch): Promise<number> => {
  const open = user?.admin ? null : openTo(user !== null);
  return store.count(deps, { ...unfiltered(deps), ...search, open, viewerId: user?.id ?? null });
};

/**
 * Returns, in lower case, those of the given paths that are already in use in a parent group. Paths at the
 * top level also include the usernames of all users.
 */
export async function takenPaths(
  deps: Deps,
  paths: readonly string[],
  parent: AuthorizedGroup | null,
): Promise<ReadonlySet<string>> {
  const lower = paths.map((path) => path.toLowerCase());
  const prefix = parent === null ? "" : `${parent.fullPath.toLowerCase()}/`;
  const taken = await store.existingPaths(
    deps.db,
    lower.map((path) => `${prefix}${path}`),
  );
  const names = parent === null ? await existingUsernames(deps, lower) : [];
  return new Set([...taken.map((path) => path.slice(prefix.length)), ...names]);
}

/** Returns a page of the direct subgroups of a group. Subgroups that the user cannot see are omitted. */
export const listSubgroups = (
  deps: Deps,
  user: User | null,
  parent: AuthorizedGroup,
  search: Omit<GroupSearch, "parentId">,
  paging: Paging,
): Promise<Page<Group>> => {
  const subgroups = { ...search, parentId: parent.id };
  if (!isMemberOfAll(user, parent, search.minLevel)) return listGroups(deps, user, subgroups, paging);
  return store.list(deps, { ...unfiltered(deps), ...subgroups, memberOnly: false }, paging);
};

export type GroupDraft = Readonly<{
  name: string;
  path: string;
  description?: string | undefined;
  visibility?: Visibility | undefined;
}>;

/** `gone` means that another request has deleted the group, or the parent of a new group. */
export type GroupOutcome =
  | { readonly group: Group }
  | { readonly problems: FieldErrors }
  | "not_allowed"
  | "gone";

/**
 * Creates a group. The user who creates the group becomes its owner. The creation of a subgroup requires the maintainer
 * role in the parent group. A bot can create only subgroups.
 */
export async function createGroup(
  deps: Deps,
  user: User,
  draft: GroupDraft,
  parent: AuthorizedGroup | null = null,
): Promise<GroupOutcome> {
  if (parent === null ? isBot(user) : !reaches(parent.role, "maintainer")) return "not_allowed";
  const visibility = draft.visibility ?? parent?.visibility ?? "private";
  const fullPath = parent === null ? draft.path : `${parent.fullPath}/${draft.path}`;
  const problems = await draftProblems(deps, { ...draft, visibility, fullPath }, parent);
  if (problems !== null) return { problems };
  const { name, path, description = "" } = draft;
  const row = { name, path, fullPath, description, visibility, parentId: parent?.id ?? null };
  try {
    return await deps.transaction(async (within): Promise<GroupOutcome> => {
      if (parent !== null) {
        // The new group references all ancestors. If the ancestors were not locked before the parent, the
        // simultaneous deletion of an ancestor could cause a deadlock.
        await store.lockWithAncestors(within.db, parent.id);
        const refusal = parentRefusal(await store.findById(within.reads, parent.id), visibility);
        if (refusal !== null) return refusal;
        if (await isPathInUse(within, fullPath)) return { problems: TAKEN };
      }
      const created = await store.insert(within.db, { ...row, createdAt: within.clock() });
      if (!isBot(user)) await addFirstOwner(within, resourceOf(created), user);
      await audit.record(within, "group.created", { id: created.id, path: fullPath }, { userId: user.id });
      return { group: created };
    });
  } catch (cause) {
    if (isUniqueViolation(cause)) return { problems: TAKEN };
    throw cause;
  }
}

/**
 * Returns the reason why a parent group, which the transaction has locked, cannot contain a project or subgroup
 * with this visibility; null if there is no reason. A simultaneous request may have changed the parent group
 * before the lock.
 */
export function parentRefusal(
  parent: Group | null,
  visibility: Visibility,
): Readonly<{ problems: FieldErrors }> | "gone" | null {
  if (parent === null) return "gone";
  const problems = fieldErrorsOf({ visibility_level: visibilityProblem(visibility, parent.visibility) });
  return problems && { problems };
}

/**
 * Locks a group until the transaction ends, so that no other request can change the visibility of the group.
 * @returns the group; null if the group no longer exists.
 */
export const lockGroup = async (within: Deps, id: number): Promise<Group | null> =>
  (await lockProjectOrGroup(within, { kind: "group", id, fullPath: "" }))
    ? store.findById(within.reads, id)
    : null;

/**
 * Returns whether a subgroup or a project of a group has this full path. The transaction must have locked the
 * group. Otherwise, two simultaneous requests could create a subgroup and a project with the same path.
 */
export const isPathInUse = (within: Deps, fullPath: string): Promise<boolean> =>
  store.isPathInUse(within.db, fullPath);

export const TAKEN: FieldErrors = { path: ["has already been taken"] };

async function draftProblems(
  deps: Deps,
  draft: GroupDraft & Readonly<{ visibility: Visibility; fullPath: string }>,
  parent: Group | null,
): Promise<FieldErrors | null> {
  const errors = fieldErrorsOf({
    name: nameProblem(draft.name),
    path: pathProblem(draft.path, parent === null),
    description: descriptionProblem(draft.description),
    visibility_level: visibilityProblem(draft.visibility, parent?.visibility ?? null),
    parent_id:
      depthOf(draft.fullPath) > GROUP_DEPTH_MAX ? `is nested too deep (maximum is ${GROUP_DEPTH_MAX})` : null,
  });
  if (errors !== null || parent !== null) return errors;
  return (await findUser(deps, draft.path)) === null ? null : TAKEN;
}

export type GroupChanges = Readonly<Partial<Pick<Group, "name" | "description" | "visibility">>>;

/**
 * Edits a group. A group cannot be less visible than its projects and subgroups, and the path of a group
 * cannot be changed.
 */
export async function updateGroup(
  deps: Deps,
  group: AuthorizedGroup,
  changes: GroupChanges,
  by: User,
): Promise<GroupOutcome> {
  if (!reaches(group.role, "owner")) return "not_allowed";
  const problems = fieldErrorsOf({
    name: changes.name === undefined || changes.name === group.name ? null : nameProblem(changes.name),
    description: descriptionProblem(changes.description),
    visibility_level:
      changes.visibility === undefined ? null : await visibilityChange(deps, group, changes.visibility),
  });
  if (problems !== null) return { problems };
  return deps.transaction(async (within): Promise<GroupOutcome> => {
    if (group.parentId !== null) await lockGroup(within, group.parentId);
    const current = await lockGroup(within, group.id);
    if (current === null) return "gone";
    // A simultaneous request may have changed the parent group, the subgroups or the projects before the locks.
    const problem =
      changes.visibility === undefined ? null : await visibilityChange(within, current, changes.visibility);
    if (problem !== null) return { problems: { visibility_level: [problem] } };
    const changed = await store.update(within.db, group.id, changes);
    await audit.record(within, "group.changed", { id: group.id, path: group.fullPath }, { userId: by.id });
    return { group: changed };
  });
}

async function visibilityChange(deps: Deps, group: Group, visibility: Visibility): Promise<string | null> {
  const parent = group.parentId === null ? null : await store.findById(deps.reads, group.parentId);
  const parentProblem = visibilityProblem(visibility, parent?.visibility ?? null);
  if (parentProblem !== null) return parentProblem;
  const contents = await store.visibilitiesOfDescendants(deps.db, group.id);
  return contents.some((other) => isMoreOpen(other, visibility))
    ? `${visibility} is not allowed since this group contains projects or groups with higher visibility.`
    : null;
}

/**
 * Deletes a group with all its subgroups, projects and applications, and the tokens of these applications.
 * @returns `removed` for exactly one of several simultaneous callers.
 */
export async function deleteGroup(
  deps: Deps,
  group: AuthorizedGroup,
  by: User,
): Promise<"removed" | "not_allowed" | "gone"> {
  if (!reaches(group.role, "owner")) return "not_allowed";
  const projects = await deps.transaction(async (within) => {
    const { count: applications } = await applicationsInGroup(within, group.id);
    await removeApplicationsInGroup(within, group.id);
    const removed = await store.remove(within, group.id);
    if (removed === null) return null;
    const details = { id: group.id, path: group.fullPath, ...(applications === 0 ? {} : { applications }) };
    await audit.record(within, "group.removed", details, { userId: by.id });
    return removed;
  });
  if (projects === null) return "gone";
  await announceProjectsRemoved(deps, projects);
  return "removed";
}
