import { integer, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement } from "@/kernel/db/statement";

const COLUMNS = {
  branch: [`p."branch"`, text],
  headSha: [`p."headSha"`, text],
  pushedAt: [`p."pushedAt"`, time],
} as const;

/** A branch, and the head that a user has pushed to this branch. */
export type OwnPush = RowOf<typeof COLUMNS>;

/** The maximum number of pushes that a search considers: the newest pushes of a user to all projects. */
const OWN_PUSHES_MAX = 20;

const RECENT_PUSHES = statement({
  name: "recent_pushes_of_user",
  parameters: { userId: integer, projectId: integer, since: time },
  columns: COLUMNS,
  sql: (columns) => `
    SELECT ${columns} FROM (
      SELECT * FROM "BranchPush" p WHERE p."userId" = :userId ORDER BY p."id" DESC LIMIT ${OWN_PUSHES_MAX}) p
    WHERE p."projectId" = :projectId AND p."branch" IS NOT NULL AND p."pushedAt" >= :since
    ORDER BY p."id" DESC`,
});

/**
 * Returns the branches that a user has pushed to a project after the time `since`, newest first. Deleted
 * branches are omitted.
 */
export const recentPushesBy = (
  reads: Reads,
  push: Readonly<{ userId: number; projectId: number; since: Date }>,
): Eventually<readonly OwnPush[]> => reads.all(RECENT_PUSHES, push);
