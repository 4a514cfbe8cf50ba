import { flag, integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";

const COLUMNS = {
  id: [`r."id"`, integer],
  kind: [`r."kind"`, text],
  description: [`r."description"`, text],
  maintenanceNote: [`r."maintenanceNote"`, nullable(text)],
  paused: [`r."paused"`, flag],
  locked: [`r."locked"`, flag],
  runUntagged: [`r."runUntagged"`, flag],
  accessLevel: [`r."accessLevel"`, text],
  maximumTimeout: [`r."maximumTimeout"`, nullable(integer)],
  groupId: [`r."groupId"`, nullable(integer)],
  createdAt: [`r."createdAt"`, time],
  contactedAt: [`r."contactedAt"`, nullable(time)],
  name: [`r."name"`, nullable(text)],
  version: [`r."version"`, nullable(text)],
  revision: [`r."revision"`, nullable(text)],
  platform: [`r."platform"`, nullable(text)],
  architecture: [`r."architecture"`, nullable(text)],
  executor: [`r."executor"`, nullable(text)],
} as const;

/** A stored runner, without the token digest of the runner. */
export type RunnerRow = RowOf<typeof COLUMNS>;

const BY_IDS = statement({
  name: "runners_by_id",
  parameters: { ids: integers },
  columns: COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} FROM "Runner" r WHERE ${isIn(`r."id"`, ":ids")}`),
});

/** Returns the runners with these ids, in any order. */
export const findByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly RunnerRow[]> =>
  reads.all(BY_IDS, { ids });

const TAGS = statement({
  name: "runner_tags",
  parameters: { ids: integers },
  columns: { runnerId: [`t."runnerId"`, integer], name: [`t."name"`, text] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "RunnerTag" t WHERE ${isIn(`t."runnerId"`, ":ids")} ORDER BY t."name"`,
  ),
});

/** Returns the tags of several runners, in alphabetical order. */
export const listTags = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly Readonly<{ runnerId: number; name: string }>[]> => reads.all(TAGS, { ids });

/** All runners of the instance. */
export const ALL_RUNNERS = listStatements({
  name: "all_runners",
  parameters: {},
  from: () => `"Runner" r`,
  order: `r."id"`,
});

/**
 * The runners that are available to a project or to the groups with these ids: their own runners, and instance
 * runners. SQLite uses no index for a negated condition, so it reads the table in the order of the list instead
 * of collecting and sorting all matching runners.
 */
export const AVAILABLE_RUNNERS = listStatements({
  name: "available_runners",
  parameters: { projectId: integer, groupIds: integers },
  from: (isIn) => `"Runner" r WHERE NOT (r."kind" NOT IN ('instance_type'))
    OR EXISTS (SELECT 1 FROM "RunnerProject" x WHERE x."runnerId" = r."id" AND x."projectId" = :projectId)
    OR ${isIn(`r."groupId"`, ":groupIds")}`,
  order: `r."id"`,
  sufficient: () => `"Runner" r WHERE r."kind" = 'instance_type'`,
});

/**
 * The runners of these projects and of projects in these groups, the runners of the owned groups, and the runners of
 * groups below the groups with `ownedAncestorIds`.
 */
export const RUNNERS_OF_USER = listStatements({
  name: "runners_of_user",
  parameters: {
    projectIds: integers,
    groupIds: integers,
    topGroupIds: integers,
    ownedGroupIds: integers,
    ownedAncestorIds: integers,
  },
  from: (isIn) => `"Runner" r WHERE EXISTS (
      SELECT 1 FROM "RunnerProject" x WHERE x."runnerId" = r."id" AND (${isIn(`x."topGroupId"`, ":topGroupIds")}
        OR ${isIn(`x."groupId"`, ":groupIds")} OR ${isIn(`x."projectId"`, ":projectIds")}))
    OR ${isIn(`r."groupId"`, ":ownedGroupIds")}
    OR EXISTS (SELECT 1 FROM "GroupAncestor" a
      WHERE a."groupId" = r."groupId" AND ${isIn(`a."ancestorId"`, ":ownedAncestorIds")})`,
  order: `r."id"`,
  sufficient: (isIn) => `"Runner" r WHERE ${isIn(`r."groupId"`, ":ownedGroupIds")}`,
});
