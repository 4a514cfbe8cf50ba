import { flag, integer, integers, nullable, text, texts, time } from "@/kernel/db/column-types";
import type { Eventually, Reads } from "@/kernel/db/prepared";
import { optional, type RowOf, statement, withList } from "@/kernel/db/statement";

/** Returns the columns of the user table with this alias. */
const userColumns = (alias: string) =>
  ({
    id: [`${alias}."id"`, integer],
    username: [`${alias}."username"`, text],
    name: [`${alias}."name"`, text],
    state: [`${alias}."state"`, text],
    avatarDigest: [`${alias}."avatarDigest"`, nullable(text)],
  }) as const;

const COLUMNS = {
  id: [`r."id"`, integer],
  iid: [`r."iid"`, integer],
  sourceBranch: [`r."sourceBranch"`, text],
  targetBranch: [`r."targetBranch"`, text],
  title: [`r."title"`, text],
  description: [`r."description"`, text],
  draft: [`r."draft"`, flag],
  state: [`r."state"`, text],
  squash: [`r."squash"`, flag],
  removesSource: [`r."removesSource"`, flag],
  createdAt: [`r."createdAt"`, time],
  updatedAt: [`r."updatedAt"`, time],
  headSha: [`r."headSha"`, text],
  baseSha: [`r."baseSha"`, nullable(text)],
  startSha: [`r."startSha"`, text],
  changesCount: [`r."changesCount"`, integer],
  mergeability: [`r."mergeability"`, text],
  behind: [`r."behind"`, flag],
  checkedSha: [`r."checkedSha"`, nullable(text)],
  mergeError: [`r."mergeError"`, nullable(text)],
  lock: optional({ at: [`r."lockedAt"`, time], byId: [`r."lockedById"`, nullable(integer)] }),
  autoMerge: optional({ at: [`r."autoMergeAt"`, time], sha: [`r."autoMergeSha"`, nullable(text)] }),
  mergeMessage: [`r."mergeMessage"`, nullable(text)],
  squashMessage: [`r."squashMessage"`, nullable(text)],
  mergedAt: [`r."mergedAt"`, nullable(time)],
  mergeCommitSha: [`r."mergeCommitSha"`, nullable(text)],
  squashCommitSha: [`r."squashCommitSha"`, nullable(text)],
  closedAt: [`r."closedAt"`, nullable(time)],
  project: {
    id: [`p."id"`, integer],
    fullPath: [`p."fullPath"`, text],
    groupId: [`p."groupId"`, nullable(integer)],
    mergeMethod: [`p."mergeMethod"`, text],
  },
  author: optional(userColumns("a")),
  mergeUser: optional(userColumns("m")),
  closedBy: optional(userColumns("c")),
} as const;

/** A stored merge request with its project and its users, without assignees, reviewers and labels. */
export type MergeRequestRow = RowOf<typeof COLUMNS>;

const FROM = `FROM "MergeRequest" r
  JOIN "Project" p ON p."id" = r."projectId"
  LEFT JOIN "User" a ON a."id" = r."authorId"
  LEFT JOIN "User" m ON m."id" = r."mergeUserId"
  LEFT JOIN "User" c ON c."id" = r."closedById"`;

const BY_NUMBER = statement({
  name: "merge_request_by_number",
  parameters: { projectId: integer, iid: integer },
  columns: COLUMNS,
  sql: (columns) => `SELECT ${columns} ${FROM} WHERE r."projectId" = :projectId AND r."iid" = :iid`,
});

/** Returns the merge request with this number in a project, or null. */
export const findByNumber = (
  reads: Reads,
  projectId: number,
  iid: number,
): Eventually<MergeRequestRow | null> => reads.first(BY_NUMBER, { projectId, iid });

const BY_IDS = statement({
  name: "merge_requests_by_id",
  parameters: { ids: integers },
  columns: COLUMNS,
  sql: withList((columns, isIn) => `SELECT ${columns} ${FROM} WHERE ${isIn(`r."id"`, ":ids")}`),
});

/** Returns the merge requests with these ids, in any order. */
export const findByIds = (reads: Reads, ids: readonly number[]): Eventually<readonly MergeRequestRow[]> =>
  reads.all(BY_IDS, { ids });

const USER_COLUMNS = {
  mergeRequestId: [`x."mergeRequestId"`, integer],
  kind: [`x."kind"`, text],
  user: userColumns("u"),
} as const;

/** An assignee or a reviewer of a merge request. */
export type RelatedUserRow = RowOf<typeof USER_COLUMNS>;

const USERS = statement({
  name: "merge_request_users",
  parameters: { ids: integers },
  columns: USER_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "MergeRequestPerson" x JOIN "User" u ON u."id" = x."userId"
    WHERE ${isIn(`x."mergeRequestId"`, ":ids")} ORDER BY x."userId"`,
  ),
});

/** Returns the assignees and reviewers of merge requests, ordered by user id. */
export const listUsers = (reads: Reads, ids: readonly number[]): Eventually<readonly RelatedUserRow[]> =>
  reads.all(USERS, { ids });

const LABELS = statement({
  name: "merge_request_labels",
  parameters: { ids: integers },
  columns: { mergeRequestId: [`l."mergeRequestId"`, integer], name: [`l."name"`, text] },
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "MergeRequestLabel" l
    WHERE ${isIn(`l."mergeRequestId"`, ":ids")} ORDER BY l."name"`,
  ),
});

/** Returns the labels of merge requests in alphabetical order. */
export const listLabels = (
  reads: Reads,
  ids: readonly number[],
): Eventually<readonly Readonly<{ mergeRequestId: number; name: string }>[]> => reads.all(LABELS, { ids });

const FROM_BRANCH_COLUMNS = {
  iid: [`r."iid"`, integer],
  sourceBranch: [`r."sourceBranch"`, text],
  state: [`r."state"`, text],
  headSha: [`r."headSha"`, text],
} as const;

/** The maximum number of merge requests that `listFrom` returns. */
const FROM_MAX = 100;

const FROM_BRANCHES = statement({
  name: "merge_requests_from_branches",
  parameters: { projectId: integer, sourceBranches: texts },
  columns: FROM_BRANCH_COLUMNS,
  sql: withList(
    (columns, isIn) => `
    SELECT ${columns} FROM "MergeRequest" r
    WHERE r."projectId" = :projectId AND ${isIn(`r."sourceBranch"`, ":sourceBranches")}
    ORDER BY r."createdAt" DESC, r."id" DESC LIMIT ${FROM_MAX}`,
  ),
});

/** Returns the newest merge requests from these source branches, newest first. */
export const listFrom = (
  reads: Reads,
  projectId: number,
  sourceBranches: readonly string[],
): Eventually<readonly RowOf<typeof FROM_BRANCH_COLUMNS>[]> =>
  reads.all(FROM_BRANCHES, { projectId, sourceBranches });
