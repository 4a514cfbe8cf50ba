import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import { isMoreOpen, openTo, type Visibility } from "@/access/visibility";
import { existingUsernames, find as findUser } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { announceProjectsRemoved } from "../lifecycle/project-lifecycle";
import { addFirstOwner, roleIn } from "../members/service";
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
 * A group that somebody may see.
 * @param reference its id, or its full path in any case.
 * @returns null also for one that they may not see.
 */
export async function findGroup(
  deps: Deps,
  reference: string,
  user: User | null,
): Promise<AuthorizedGroup | null> {
  const group = /^\d{1,9}$/.test(reference)
    ? await store.findById(deps.db, Number(reference))
    : await store.findByPath(deps.db, reference);
  // A group that does not exist takes the statements of one that is hidden: their time tells nobody which it was.
  const place = group === null ? ({ kind: "group", id: 0, fullPath: "" } as const) : placeOf(group);
  const role = await roleIn(deps, place, user);
  const viewer = { signedIn: user !== null, role };
  const seen = group === null ? null : authorizeGroup(group, viewer);
  if (seen !== null || user === null) return seen;
  const ask = { ...unfiltered(deps), open: [], viewerId: user.id };
  const leads = await store.isVisibleTo(deps.db, place.id, ask);
  return group === null ? null : authorizeGroup(group, viewer, leads);
}

/** The group of a row that came with another one. */
export const groupOf = store.groupFrom;

export const placeOf = ({ id, fullPath }: Group) => ({ kind: "group", id, fullPath }) as const;

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

/** A part of the groups that somebody sees, by their ids. `memberOnly` needs a person. */
export const listGroups = (
  deps: Deps,
  user: User | null,
  search: GroupSearch,
  paging: Paging,
): Promise<Page<Group>> => {
  const open = user?.admin ? null : openTo(user !== null);
  return store.list(deps.db, { ...unfiltered(deps), ...search, open, viewerId: user?.id ?? null }, paging);
};

/** How many groups such a list has, however many that are. */
export const countGroups = (deps: Deps, user: User | null, search: GroupSearch): Promise<number> => {
  const open = user?.admin ? null : openTo(user !== null);
  return store.count(deps.db, { ...unfiltered(deps), ...search, open, viewerId: user?.id ?? null });
};

/** Which of these paths groups have below a parent; at the top, those of users, too. In lower case. */
export async function takenPaths(
  deps: Deps,
  paths: readonly string[],
  parent: AuthorizedGroup | null,
): Promise<ReadonlySet<string>> {
  const lower = paths.map((path) => path.toLowerCase());
  const above = parent === null ? "" : `${parent.fullPath.toLowerCase()}/`;
  const taken = await store.existingPaths(
    deps.db,
    lower.map((path) => `${above}${path}`),
  );
  const names = parent === null ? await existingUsernames(deps, lower) : [];
  return new Set([...taken.map((path) => path.slice(above.length)), ...names]);
}

/** The same of the groups right below one. */
export const listSubgroups = (
  deps: Deps,
  user: User | null,
  parent: AuthorizedGroup,
  search: Omit<GroupSearch, "parentId">,
  paging: Paging,
): Promise<Page<Group>> => {
  const below = { ...search, parentId: parent.id };
  if (!isMemberOfAll(user, parent, search.minLevel)) return listGroups(deps, user, below, paging);
  return store.list(deps.db, { ...unfiltered(deps), ...below, memberOnly: false }, paging);
};

export type GroupDraft = Readonly<{
  name: string;
  path: string;
  description?: string | undefined;
  visibility?: Visibility | undefined;
}>;

export type GroupOutcome = { readonly group: Group } | { readonly problems: FieldErrors } | "not_allowed";

/** Makes a group, which its maker owns; below another group, maintainers of that one may. */
export async function createGroup(
  deps: Deps,
  user: User,
  draft: GroupDraft,
  parent: AuthorizedGroup | null = null,
): Promise<GroupOutcome> {
  if (parent !== null && !reaches(parent.role, "maintainer")) return "not_allowed";
  const visibility = draft.visibility ?? parent?.visibility ?? "private";
  const fullPath = parent === null ? draft.path : `${parent.fullPath}/${draft.path}`;
  const problems = await draftProblems(deps, { ...draft, visibility, fullPath }, parent);
  if (problems !== null) return { problems };
  const { name, path, description = "" } = draft;
  const row = { name, path, fullPath, description, visibility, parentId: parent?.id ?? null };
  try {
    const group = await deps.transaction(async (within) => {
      const made = await store.insert(within.db, { ...row, createdAt: within.clock() });
      await addFirstOwner(within, placeOf(made), user);
      await audit.record(within, "group.created", { id: made.id, path: fullPath }, { userId: user.id });
      return made;
    });
    return { group };
  } catch (cause) {
    if (isUniqueViolation(cause)) return { problems: TAKEN };
    throw cause;
  }
}

const TAKEN: FieldErrors = { path: ["has already been taken"] };

async function draftProblems(
  deps: Deps,
  draft: GroupDraft & Readonly<{ visibility: Visibility; fullPath: string }>,
  parent: Group | null,
): Promise<FieldErrors | null> {
  const found = fieldErrorsOf({
    name: nameProblem(draft.name),
    path: pathProblem(draft.path, parent === null),
    description: descriptionProblem(draft.description),
    visibility_level: visibilityProblem(draft.visibility, parent?.visibility ?? null),
    parent_id:
      depthOf(draft.fullPath) > GROUP_DEPTH_MAX ? `is nested too deep (maximum is ${GROUP_DEPTH_MAX})` : null,
  });
  if (found !== null || parent !== null) return found;
  return (await findUser(deps, draft.path)) === null ? null : TAKEN;
}

export type GroupChanges = Readonly<Partial<Pick<Group, "name" | "description" | "visibility">>>;

/** Changes a group; nothing below it may be more open than it will be. Its path stays. */
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
  return deps.transaction(async (within) => {
    const changed = await store.update(within.db, group.id, changes);
    await audit.record(within, "group.changed", { id: group.id, path: group.fullPath }, { userId: by.id });
    return { group: changed };
  });
}

async function visibilityChange(deps: Deps, group: Group, asked: Visibility): Promise<string | null> {
  const parent = group.parentId === null ? null : await store.findById(deps.db, group.parentId);
  const above = visibilityProblem(asked, parent?.visibility ?? null);
  if (above !== null) return above;
  const below = await store.visibilitiesOfDescendants(deps.db, group.id);
  return below.some((visibility) => isMoreOpen(visibility, asked))
    ? `${asked} is not allowed since this group contains projects or groups with higher visibility.`
    : null;
}

/** Removes a group with all that is in it. Of any number of callers, one does; for the others it is gone. */
export async function deleteGroup(
  deps: Deps,
  group: AuthorizedGroup,
  by: User,
): Promise<"removed" | "not_allowed" | "gone"> {
  if (!reaches(group.role, "owner")) return "not_allowed";
  const projects = await deps.transaction(async (within) => {
    const removed = await store.remove(within.db, group.id);
    if (removed === null) return null;
    await audit.record(within, "group.removed", { id: group.id, path: group.fullPath }, { userId: by.id });
    return removed;
  });
  if (projects === null) return "gone";
  await announceProjectsRemoved(deps, projects);
  return "removed";
}
