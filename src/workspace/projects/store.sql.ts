import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type IsIn, optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";
import { GROUP_COLUMNS } from "../groups/group-columns";
import { VISIBLE_IDS, visibleRows } from "../members/visibility-filter";

const COLUMNS = {
  id: [`p."id"`, integer],
  name: [`p."name"`, text],
  path: [`p."path"`, text],
  fullPath: [`p."fullPath"`, text],
  description: [`p."description"`, text],
  visibility: [`p."visibility"`, text],
  creatorId: [`p."creatorId"`, nullable(integer)],
  mergeMethod: [`p."mergeMethod"`, text],
  createdAt: [`p."createdAt"`, time],
  lastActivityAt: [`p."lastActivityAt"`, time],
  group: optional(GROUP_COLUMNS),
  creator: optional({
    id: [`u."id"`, integer],
    username: [`u."username"`, text],
    name: [`u."name"`, text],
  }),
} as const;

/** A stored project with its group and its creator. */
export type ProjectRow = RowOf<typeof COLUMNS>;

const BY_IDS = statement({
  name: "projects_by_id",
  parameters: { ids: integers },
  columns: COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "Project" p
    LEFT JOIN "Group" g ON g."id" = p."groupId"
    LEFT JOIN "User" u ON u."id" = p."creatorId"
    WHERE ${isIn(`p."id"`, ":ids")}`,
  ),
});

/** Returns the projects with these ids, in any order. */
export const findByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly ProjectRow[]> =>
  reads.all(BY_IDS, { ids });

const PERSONAL_COLUMNS = {
  fullPath: [`p."fullPath"`, text],
  /** The number of all projects in the namespace of the user. */
  total: [`CAST(COUNT(*) OVER () AS INTEGER)`, integer],
} as const;

const PERSONAL = statement({
  name: "personal_projects",
  parameters: { ownerId: integer, most: integer },
  columns: PERSONAL_COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM "Project" p WHERE p."groupId" IS NULL AND p."creatorId" = :ownerId
    ORDER BY p."id" LIMIT :most`,
});

/** Returns at most `most` projects in the namespace of a user, oldest first. */
export const personalProjects = (
  reads: Reads,
  ownerId: number,
  most: number,
): Eventually<readonly RowOf<typeof PERSONAL_COLUMNS>[]> => reads.all(PERSONAL, { ownerId, most });

const CURRENT = `(m."expiresAt" IS NULL OR m."expiresAt" > :now)`;
const LEVEL_COLUMNS = {
  id: [`p."id"`, integer],
  visibility: [`p."visibility"`, text],
  own: [
    `(SELECT MAX(m."role") FROM "ProjectMember" m
      WHERE m."projectId" = p."id" AND m."userId" = :userId AND ${CURRENT})`,
    nullable(integer),
  ],
  inherited: [
    `(SELECT MAX(m."role") FROM "GroupAncestor" a JOIN "GroupMember" m ON m."groupId" = a."ancestorId"
      WHERE a."groupId" = p."groupId" AND m."userId" = :userId AND ${CURRENT})`,
    nullable(integer),
  ],
} as const;

/**
 * The visibility of a project, and the access levels of a user in the project, in its group and in the
 * ancestors of the group.
 */
export type LevelsRow = RowOf<typeof LEVEL_COLUMNS>;

const LEVELS_BY_ID = statement({
  name: "project_levels_by_id",
  parameters: { id: integer, userId: integer, now: time },
  columns: LEVEL_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "Project" p WHERE p."id" = :id`,
});
const LEVELS_BY_PATH = statement({
  name: "project_levels_by_path",
  parameters: { fullPathLower: text, userId: integer, now: time },
  columns: LEVEL_COLUMNS,
  sql: (columns) => `SELECT ${columns} FROM "Project" p WHERE p."fullPathLower" = :fullPathLower`,
});

/** Returns the access levels of a user in a project, or null if the project does not exist. */
export const findLevels = (
  reads: Reads,
  key: Readonly<{ id: number } | { fullPathLower: string }>,
  viewer: Readonly<{ userId: number; now: Date }>,
): Eventually<LevelsRow | null> =>
  "id" in key
    ? reads.first(LEVELS_BY_ID, { ...key, ...viewer })
    : reads.first(LEVELS_BY_PATH, { ...key, ...viewer });

/** The parameters of the prepared lists. Each statement uses only some of the parameters. */
const LIST_PARAMETERS = { groupId: integer, ...VISIBLE_IDS, directGroupIds: integers };

const memberIn = (column: "groupId" | "topGroupId", groupIds: string) => (isIn: IsIn) =>
  `"Project" r WHERE ${isIn(`r."${column}"`, groupIds)} OR ${isIn(`r."id"`, ":projectIds")}`;

/**
 * The sets of projects that have prepared lists: all projects, the projects that a user can see, the projects of
 * which a user is a direct or inherited member, and the direct projects of a group. The ids of the groups of a
 * member are either ids of groups or ids of top-level groups, because SQLite would read all projects for a
 * condition on both columns.
 */
const SETS = {
  all: { orders: ["createdAt", "lastActivityAt"], from: () => `"Project" r` },
  visible: {
    orders: ["createdAt", "lastActivityAt"],
    from: (isIn: IsIn) => `"Project" r WHERE ${visibleRows(`r."id"`, isIn)}`,
    sufficient: (isIn: IsIn) => `"Project" r WHERE ${isIn(`r."groupId"`, ":directGroupIds")}`,
  },
  member: { orders: ["createdAt", "lastActivityAt"], from: memberIn("groupId", ":groupIds") },
  topGroupMember: { orders: ["createdAt", "lastActivityAt"], from: memberIn("topGroupId", ":topGroupIds") },
  group: {
    orders: ["createdAt", "lastActivityAt"],
    from: () => `"Project" r WHERE r."groupId" = :groupId`,
  },
} as const;

type List = Readonly<{ set: keyof typeof SETS; column: string; direction: "ASC" | "DESC" }>;

const keyOf = ({ set, column, direction }: List): string => `${set}_${column}_${direction.toLowerCase()}`;

function preparedList(list: List) {
  const { orders: _, ...parts } = SETS[list.set];
  return listStatements({
    ...parts,
    name: `projects_${keyOf(list)}`,
    parameters: LIST_PARAMETERS,
    order: `r."${list.column}" ${list.direction}, r."id" ${list.direction}`,
  });
}

const LISTS: ReadonlyMap<string, ReturnType<typeof preparedList>> = new Map(
  (["all", "visible", "member", "topGroupMember", "group"] as const).flatMap((set) =>
    SETS[set].orders.flatMap((column) =>
      (["ASC", "DESC"] as const).map((direction) => {
        const list = { set, column, direction };
        return [keyOf(list), preparedList(list)] as const;
      }),
    ),
  ),
);

/** Returns a prepared list of projects; null if the set has no prepared list in this order. */
export const listStatementsOf = (list: List): ReturnType<typeof preparedList> | null =>
  LISTS.get(keyOf(list)) ?? null;
