import { integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";
import { listStatements } from "@/kernel/paging/list-statements";

const COLUMNS = {
  id: [`r."id"`, integer],
  path: [`r."path"`, text],
  createdAt: [`r."createdAt"`, time],
  cleanupStartedAt: [`r."cleanupStartedAt"`, nullable(time)],
  projectId: [`p."id"`, integer],
  projectPath: [`p."fullPathLower"`, text],
} as const;

const BY_IDS = statement({
  name: "container_repositories_by_id",
  parameters: { ids: integers },
  columns: COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "ContainerRepository" r JOIN "Project" p ON p."id" = r."projectId"
    WHERE ${isIn(`r."id"`, ":ids")} AND r."removedAt" IS NULL`,
  ),
});

/** Returns the repositories with these ids that are not being deleted, in any order. */
export const findByIds = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly RowOf<typeof COLUMNS>[]> => reads.all(BY_IDS, { ids });

/** The repositories of a project that are not being deleted, ordered by id. */
export const OF_PROJECT = listStatements({
  name: "container_repositories_of_project",
  parameters: { projectId: integer },
  from: () => `"ContainerRepository" r WHERE r."projectId" = :projectId AND r."removedAt" IS NULL`,
  order: `r."id"`,
});

/**
 * The repositories of the projects of a top-level group that are not being deleted, ordered by id. With CROSS JOIN,
 * SQLite reads the repositories in the order of the list instead of sorting the repositories of all projects.
 */
export const OF_TOP_LEVEL_GROUP = listStatements({
  name: "container_repositories_of_group",
  parameters: { topGroupId: integer },
  from: () => `"ContainerRepository" r CROSS JOIN "Project" p
    WHERE p."id" = r."projectId" AND p."topGroupId" = :topGroupId AND r."removedAt" IS NULL`,
  order: `r."id"`,
});
