import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { optional, type RowOf, statement, withList } from "@/kernel/db/statement";
import { GROUP_COLUMNS } from "../groups/group-columns";

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
