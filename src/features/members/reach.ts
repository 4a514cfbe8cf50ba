import type { Db } from "@/platform/db/db";

/** Beyond so many, the database looks for each row whether it is one of them. */
export const NAMED_MAX = 256;

/**
 * The projects and groups in which somebody is a member themselves, from a level on. Null: too many to be named.
 *
 * Lists of what somebody sees are made of these: asked for each of a hundred thousand rows instead, a membership that
 * nobody has would be looked for a hundred thousand times.
 */
export type Reach = Readonly<{
  projectIds: readonly number[] | null;
  groupIds: readonly number[] | null;
  /** The same as a condition on a membership. */
  membership: object;
}>;

/** Two queries. */
export async function reachOf(db: Db, userId: number, minLevel: number, now: Date): Promise<Reach> {
  const membership = {
    ...{ userId, role: { gte: minLevel } },
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
  const ask = { where: membership, take: NAMED_MAX + 1 };
  const [projects, groups] = await Promise.all([
    db.projectMember.findMany({ ...ask, select: { projectId: true } }),
    db.groupMember.findMany({ ...ask, select: { groupId: true } }),
  ]);
  return {
    projectIds: named(projects.map(({ projectId }) => projectId)),
    groupIds: named(groups.map(({ groupId }) => groupId)),
    membership,
  };
}

const named = (ids: readonly number[]) => (ids.length > NAMED_MAX ? null : ids);

/** The same ids, the last of them repeated: so that the database meets few lengths of a list, and prepares for each. */
export function evenly(ids: readonly number[]): number[] {
  const [last] = ids.slice(-1);
  if (last === undefined) return [];
  const length = 4 ** Math.ceil(Math.log(ids.length) / Math.log(4));
  return [...ids, ...new Array<number>(Math.max(0, length - ids.length)).fill(last)];
}

/** Any of these conditions; nothing where there are none: an empty `OR` beside other conditions would not count. */
export const anyOf = (conditions: readonly object[]): object =>
  conditions.length === 0 ? { id: { in: [] } } : { OR: [...conditions] };

/** Conditions on a project, any of which reaches it. */
export const reachedProjects = (reach: Reach): readonly object[] => [
  ...reachedThemselves(reach),
  ...reachedGroups(reach).map((group) => ({ group })),
];

function reachedThemselves({ projectIds, membership }: Reach): readonly object[] {
  if (projectIds === null) return [{ members: { some: membership } }];
  return projectIds.length === 0 ? [] : [{ id: { in: evenly(projectIds) } }];
}

/** The same on a group. */
export function reachedGroups({ groupIds, membership }: Reach): readonly object[] {
  if (groupIds === null) return [{ above: { some: { ancestor: { members: { some: membership } } } } }];
  return groupIds.length === 0 ? [] : [{ above: { some: { ancestorId: { in: evenly(groupIds) } } } }];
}
