import { flag, integer, integers, nullable, text, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { type RowOf, statement, withList } from "@/kernel/db/statement";

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
