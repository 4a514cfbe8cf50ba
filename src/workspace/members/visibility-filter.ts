import { openTo } from "@/access/visibility";
import { integers } from "@/kernel/db/column-types";
import { NAMED_MAX, named, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Prisma } from "@/kernel/db/generated/sqlite/client";
import type { Reads } from "@/kernel/db/prepared";
import type { IsIn } from "@/kernel/db/statement";
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
import { resourcesWithMembership } from "./store.sql";

/**
 * A query condition that selects the memberships of a user that have not expired and have a minimum access
 * level.
 */
type CurrentMembership = Readonly<{
  userId: number;
  role: { gte: number };
  OR: { expiresAt: null | { gt: Date } }[];
}>;

/**
 * A query condition on rows that belong to a project and store copies of the project's visibility and groups.
 */
export type InProject =
  | ProjectInGroup
  | Readonly<{ projectId: { in: number[] } } | { project: Prisma.ProjectWhereInput }>;

/**
 * The projects and groups of which a user is a direct member with a minimum access level. Descendants of the
 * groups are included. A list of ids is null if the list would contain too many ids.
 *
 * Query conditions contain these ids, because the database would run a membership subquery again for each
 * row.
 */
export type VisibilityFilter = Readonly<{
  projectIds: readonly number[] | null;
  groups: Descendants | null;
  /**
   * The query condition that selects the memberships of the user. Queries use this condition on memberships
   * if the list of the ids of projects or groups would be too long.
   */
  membership: CurrentMembership;
}>;

/** Returns the visibility filter of a user. The function runs at most four queries. */
export async function visibilityFilterOf(
  reads: Reads,
  userId: number,
  minLevel: number,
  now: Date,
): Promise<VisibilityFilter> {
  const membership: CurrentMembership = {
    ...{ userId, role: { gte: minLevel } },
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
  const [projects, groups] = await Promise.all([
    resourcesWithMembership(reads, "project", { userId, minLevel, now }, NAMED_MAX + 1),
    resourcesWithMembership(reads, "group", { userId, minLevel, now }, GROUPS_NAMED_MAX + 1),
  ]);
  const groupIds = named(groups, GROUPS_NAMED_MAX);
  return {
    projectIds: named(projects),
    groups: groupIds && (await descendantsOf(reads, groupIds)),
    membership,
  };
}

/**
 * Returns query conditions, to be combined by OR, that select the projects that the user can see because of a
 * membership.
 */
export const visibleProjects = (filter: VisibilityFilter): readonly Prisma.ProjectWhereInput[] => [
  ...(filter.projectIds === null
    ? [{ members: { some: filter.membership } }]
    : idIn(filter.projectIds).map((id) => ({ id }))),
  ...projectsInVisibleGroups(filter),
];

/**
 * Returns query conditions, to be combined by OR, that select rows in projects that the user can see because
 * of a membership. The rows must store copies of the columns `groupId` and `topGroupId` of their project.
 */
export const visibleInProjects = (filter: VisibilityFilter): readonly InProject[] => [
  ...(filter.projectIds === null
    ? [{ project: { members: { some: filter.membership } } }]
    : idIn(filter.projectIds).map((projectId) => ({ projectId }))),
  ...projectsInVisibleGroups(filter),
];

/**
 * The ids with which a typed statement selects the rows that the user can see because of a membership. A row is
 * visible if its project, its group or its top-level group is in one of the lists.
 */
export type VisibleIds = Readonly<{
  projectIds: readonly number[];
  groupIds: readonly number[];
  topGroupIds: readonly number[];
}>;

/**
 * Returns the ids that are equivalent to `visibleProjects` and to `visibleInProjects`; null if the condition
 * contains a subquery because a list of ids would be too long.
 */
export function visibleIdsOf({ projectIds, groups }: VisibilityFilter): VisibleIds | null {
  if (projectIds === null || groups === null) return null;
  const { groupIds, allIds, topIds } = groups;
  if (allIds !== null) return { projectIds, groupIds: allIds, topGroupIds: [] };
  return groupIds.every((id) => topIds.includes(id))
    ? { projectIds, groupIds: [], topGroupIds: topIds }
    : null;
}

/** The parameters of a typed statement with `visibleRows`. */
export const VISIBLE_IDS = { projectIds: integers, groupIds: integers, topGroupIds: integers } as const;

/**
 * The SQL condition that selects the rows `r` that every signed-in user can see. SQLite uses no index for a negated
 * condition, so it reads the table in the order of the list (see `unindexed`).
 */
export const OPEN_ROWS = `NOT (r."visibility" NOT IN (${openTo(true)
  .map((visibility) => `'${visibility}'`)
  .join(", ")}))`;

/**
 * Returns an SQL condition on rows `r` with copies of the visibility and the groups of a project. The condition
 * selects the rows that every signed-in user can see, and the rows that the user can see because of a membership.
 * @param projectId the column with the id of the project.
 */
export const visibleRows = (
  projectId: string,
  isIn: IsIn,
): string => `(${isIn(`r."topGroupId"`, ":topGroupIds")} OR ${isIn(`r."groupId"`, ":groupIds")}
  OR ${isIn(projectId, ":projectIds")} OR ${OPEN_ROWS})`;

/** Returns whether the user is a direct member of a group. */
export const includesGroups = ({ groups }: VisibilityFilter): boolean =>
  groups === null || groups.groupIds.length > 0;

/**
 * Returns a list with one query condition, which selects the rows with an id in `ids`. For an empty `ids`,
 * the result is an empty list.
 */
const idIn = (ids: readonly number[]): readonly { in: number[] }[] =>
  ids.length === 0 ? [] : [{ in: padToPowerOfFour(ids) }];

/**
 * Returns query conditions, to be combined by OR, that select rows whose group the user can see because of a
 * membership.
 */
export const visibleByGroup = ({ groups, membership }: VisibilityFilter): readonly InGroup[] =>
  groups === null ? [{ group: hasMembershipInAncestor(membership) }] : inGroups(groups);

/**
 * Returns query conditions, to be combined by OR, that select the groups that the user can see because of a
 * membership.
 */
export const visibleGroups = ({ groups, membership }: VisibilityFilter): readonly Prisma.GroupWhereInput[] =>
  groups === null ? [hasMembershipInAncestor(membership)] : amongGroups(groups);

/**
 * Returns query conditions, to be combined by OR, that select projects in the groups of the user, or rows
 * that belong to such projects and store copies of the groups of their project.
 */
const projectsInVisibleGroups = (filter: VisibilityFilter): readonly ProjectInGroup[] =>
  filter.groups === null ? visibleByGroup(filter) : projectsInGroups(filter.groups);

const hasMembershipInAncestor = (membership: CurrentMembership) => ({
  above: { some: { ancestor: { members: { some: membership } } } },
});
