import { flag, integer, text } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type Columns, type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  id: [`pb."id"`, integer],
  name: [`pb."name"`, text],
  pushAccessLevel: [`pb."pushAccessLevel"`, integer],
  mergeAccessLevel: [`pb."mergeAccessLevel"`, integer],
  allowForcePush: [`pb."allowForcePush"`, flag],
  followsDefault: [`pb."followsDefault"`, flag],
} as const satisfies Columns;

/** A stored branch protection rule. */
export type RuleRow = RowOf<typeof COLUMNS>;

const BY_PROJECT = statement({
  name: "protected_branches_of_project",
  parameters: { projectId: integer },
  columns: COLUMNS,
  sql: (columns) =>
    `SELECT ${columns} FROM "ProtectedBranch" pb WHERE pb."projectId" = :projectId ORDER BY pb."name"`,
});

/** Returns all branch protection rules of a project, ordered by name. */
export const findByProject = (reads: Reads, projectId: number): Eventually<readonly RuleRow[]> =>
  reads.all(BY_PROJECT, { projectId });
