import { NAMED_MAX, named, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Db } from "@/kernel/db/db";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import {
  amongGroups,
  type Descendants,
  descendantsOf,
  GROUPS_NAMED_MAX,
  type InGroup,
  inGroups,
  type ProjectInGroup,
  projectsInGroups,
} from "../hierarchy/descendants";
import * as store from "./store";

/** A condition on a membership in a project or a group: of one user, from a level on, and not over. */
type CurrentMembership = Readonly<{
  userId: number;
  role: { gte: number };
  OR: { expiresAt: null | { gt: Date } }[];
}>;

/** A condition on what lies in a project and copies the visibility and the groups of the project. */
export type InProject =
  | ProjectInGroup
  | Readonly<{ projectId: { in: number[] } } | { project: Prisma.ProjectWhereInput }>;

/**
 * The projects and groups in which somebody is a member themselves, from a level on, and what lies below those groups.
 * Null: too many to be named.
 *
 * Lists of what somebody sees are made of these: asked for each of a hundred thousand rows instead, a membership that
 * nobody has would be looked for a hundred thousand times.
 */
export type VisibilityFilter = Readonly<{
  projectIds: readonly number[] | null;
  groups: Descendants | null;
  /** The same as a condition on a membership. */
  membership: CurrentMembership;
}>;

/** Four queries at most. */
export async function visibilityFilterOf(
  db: Db,
  userId: number,
  minLevel: number,
  now: Date,
): Promise<VisibilityFilter> {
  const membership: CurrentMembership = {
    ...{ userId, role: { gte: minLevel } },
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
  const [projects, groups] = await Promise.all([
    store.projectsWithMembership(db, membership, NAMED_MAX + 1),
    store.groupsWithMembership(db, membership, GROUPS_NAMED_MAX + 1),
  ]);
  const groupIds = named(groups, GROUPS_NAMED_MAX);
  return {
    projectIds: named(projects),
    groups: groupIds && (await descendantsOf(db, groupIds)),
    membership,
  };
}

/** Conditions on a project, any of which reaches it. */
export const visibleProjects = (reach: VisibilityFilter): readonly Prisma.ProjectWhereInput[] => [
  ...(reach.projectIds === null
    ? [{ members: { some: reach.membership } }]
    : oneOf(reach.projectIds).map((id) => ({ id }))),
  ...projectsReachedByGroup(reach),
];

/** The same on what lies in a project and copies the groups that one is in. */
export const visibleInProjects = (reach: VisibilityFilter): readonly InProject[] => [
  ...(reach.projectIds === null
    ? [{ project: { members: { some: reach.membership } } }]
    : oneOf(reach.projectIds).map((projectId) => ({ projectId }))),
  ...projectsReachedByGroup(reach),
];

/** Whether it is anything by a group at all. */
export const includesGroups = ({ groups }: VisibilityFilter): boolean =>
  groups === null || groups.groupIds.length > 0;

/** The condition on an id, or nothing where there are none. */
const oneOf = (ids: readonly number[]): readonly { in: number[] }[] =>
  ids.length === 0 ? [] : [{ in: padToPowerOfFour(ids) }];

/** Conditions on whatever has a group, any of which reaches it by that. */
export const visibleByGroup = ({ groups, membership }: VisibilityFilter): readonly InGroup[] =>
  groups === null ? [{ group: memberAbove(membership) }] : inGroups(groups);

/** Conditions on a group, any of which reaches it. */
export const visibleGroups = ({ groups, membership }: VisibilityFilter): readonly Prisma.GroupWhereInput[] =>
  groups === null ? [memberAbove(membership)] : amongGroups(groups);

/** Conditions on a project, or on what copies its groups, any of which reaches it by a group. */
const projectsReachedByGroup = (reach: VisibilityFilter): readonly ProjectInGroup[] =>
  reach.groups === null ? visibleByGroup(reach) : projectsInGroups(reach.groups);

const memberAbove = (membership: CurrentMembership) => ({
  above: { some: { ancestor: { members: { some: membership } } } },
});
