import { LEAST_TO_FETCH } from "@/access/code";
import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import { branchRights } from "@/code/protected-branches/service";
import { pushersSince } from "@/code/pushes/service";
import { type Commit, commitsSince, countBetween } from "@/code/repositories/commit";
import { type Diff, type FileDiff, readDiff, readDiffPart } from "@/code/repositories/diff";
import { isBranchName } from "@/code/repositories/reference";
import { noreplyUserId } from "@/code/repositories/signature";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { listUsersWithRole } from "@/workspace/members/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { placeOf } from "@/workspace/projects/service";
import { assess, headsOf, keepVersion } from "./branches";
import { announceRetargeted, blocksOf, findBlocks, refreshChecks } from "./merge-hooks";
import {
  type Committers,
  type DetailedMergeStatus,
  LEAST_TO_MERGE,
  type MergeRequest,
  mayChange,
  statusOf,
} from "./rules";
import * as store from "./store";

export type { StoredVersion } from "./store";

/** A merge request with whether it can be merged, as was last seen. */
export type MergeRequestWithStatus = MergeRequest & Readonly<{ status: DetailedMergeStatus }>;

/** A user in a project. */
export type Actor = Readonly<{ project: AuthorizedProject; user: User }>;

/** The merge request of a project with this number, or null. */
export const findMergeRequest = (
  deps: Pick<Deps, "db">,
  project: Readonly<{ id: number }>,
  iid: number,
): Promise<MergeRequest | null> => store.find(deps.db, project.id, iid);

/** The merge requests with these ids, in any order. */
export const findMergeRequestsByIds = (
  deps: Pick<Deps, "db">,
  ids: readonly number[],
): Promise<readonly MergeRequest[]> => store.findByIds(deps.db, ids);

type Judging = Pick<Deps, "db" | "clock" | "hooks">;

/** Adds to merge requests whether they can be merged, as was last seen: as many queries for a hundred as for one. */
export async function withStatuses(
  deps: Judging,
  mergeRequests: readonly MergeRequest[],
): Promise<readonly MergeRequestWithStatus[]> {
  const blocks = await findBlocks(deps, mergeRequests);
  return mergeRequests.map((mergeRequest) => ({
    ...mergeRequest,
    status: statusOf(mergeRequest, blocks(mergeRequest)),
  }));
}

/** The same for one. */
export async function withStatus(deps: Judging, mergeRequest: MergeRequest): Promise<MergeRequestWithStatus> {
  return { ...mergeRequest, status: statusOf(mergeRequest, await blocksOf(deps, mergeRequest)) };
}

/** Whether the role of a user, and the protection of a branch, allow the user to merge into it. */
export const mayMergeInto = async (
  deps: Pick<Deps, "db" | "config">,
  project: Pick<AuthorizedProject, "id" | "role">,
  targetBranch: string,
): Promise<boolean> =>
  reaches(project.role, LEAST_TO_MERGE) && (await branchRights(deps, project, targetBranch)).mayMerge;

export type Draft = Readonly<{
  sourceBranch: string;
  targetBranch: string;
  title: string;
  description: string;
  squash: boolean;
  removesSource: boolean;
  assigneeIds: readonly number[];
  reviewerIds: readonly number[];
  labels: readonly string[];
}>;

/** Why a merge request was not created, by what is wrong. */
export type DraftRefusal =
  | "not_allowed"
  | "same_branch"
  | Readonly<{ missing: "source_branch" | "target_branch" }>
  | Readonly<{ other: number }>;

/**
 * Opens a merge request for the commits of a branch.
 * @returns why not: `other` is the number of the open one that these branches have already.
 */
export async function createMergeRequest(
  deps: Deps,
  { project, user }: Actor,
  draft: Draft,
): Promise<MergeRequest | DraftRefusal> {
  if (!reaches(project.role, LEAST_TO_MERGE)) return "not_allowed";
  const { sourceBranch, targetBranch, assigneeIds, reviewerIds, labels, ...fields } = draft;
  if (sourceBranch === targetBranch) return "same_branch";
  const heads = await headsOf(deps, project, [sourceBranch, targetBranch]);
  const [source, target] = [heads.get(sourceBranch), heads.get(targetBranch)];
  if (source === undefined) return { missing: "source_branch" };
  if (target === undefined) return { missing: "target_branch" };
  const { baseSha, ...checked } = await assess(deps, project, { source, target });
  const version = await keepVersion(deps, project, { headSha: source, baseSha, startSha: target });
  const now = deps.clock();
  const branches = { projectId: project.id, sourceBranch, targetBranch };
  const row = { ...branches, ...fields, ...version, ...checked, checkedSha: target, createdAt: now };
  let created: MergeRequest;
  try {
    const id = await deps.transaction(async (within) => {
      const inserted = await store.insert(within.db, { ...row, authorId: user.id });
      await store.update(within.db, inserted, { updatedAt: now, assigneeIds, reviewerIds, labels });
      return inserted;
    });
    created = requireStored(await store.findById(deps.db, id));
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return { other: (await store.findOpen(deps.db, branches))?.iid ?? 0 };
  }
  await refreshChecks(deps, created);
  return created;
}

/** @throws Error where the merge request was removed after it was written. */
function requireStored(mergeRequest: MergeRequest | null): MergeRequest {
  if (mergeRequest === null) throw new Error("The merge request is gone.");
  return mergeRequest;
}

export type Changes = Readonly<
  Partial<
    Pick<
      Draft,
      | "title"
      | "description"
      | "squash"
      | "removesSource"
      | "targetBranch"
      | "assigneeIds"
      | "reviewerIds"
      | "labels"
    >
  >
> &
  Readonly<{ state?: "close" | "reopen" | undefined }>;

/** `not_open`: it is being merged, or has been, so that this cannot be changed any more. */
export type ChangeRefusal = DraftRefusal | "not_open";

/** Edits, closes or reopens a merge request. Its author may do so, too. */
export async function updateMergeRequest(
  deps: Deps,
  { project, user }: Actor,
  one: MergeRequest,
  { state, targetBranch, ...fields }: Changes,
): Promise<MergeRequest | ChangeRefusal> {
  if (!mayChange(one, project.role, user)) return "not_allowed";
  const now = deps.clock();
  const target = targetBranch ?? one.targetBranch;
  const refusal = await targetRefusal(deps, one, targetBranch);
  if (refusal !== null) return refusal;
  try {
    const done = await deps.transaction(async (within) => {
      if (target !== one.targetBranch) {
        if (!(await store.retarget(within.db, one, target))) return "not_open";
        await announceRetargeted(within, one);
      }
      if (Object.keys(fields).length > 0)
        await store.update(within.db, one.id, { ...fields, updatedAt: now });
      if (state === "close" && one.state !== "closed")
        return (await store.close(within.db, one.id, user.id, now)) ? null : "not_open";
      if (state === "reopen" && one.state !== "opened")
        return (await store.reopen(within.db, { ...one, targetBranch: target }, now)) ? null : "not_open";
      return null;
    });
    if (done !== null) return done;
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    const branches = { ...one, projectId: project.id, targetBranch: target };
    return { other: (await store.findOpen(deps.db, branches))?.iid ?? 0 };
  }
  return requireStored(await store.findById(deps.db, one.id));
}

async function targetRefusal(
  deps: Deps,
  one: MergeRequest,
  targetBranch: string | undefined,
): Promise<ChangeRefusal | null> {
  if (targetBranch === undefined || targetBranch === one.targetBranch) return null;
  if (targetBranch === one.sourceBranch) return "same_branch";
  const heads = await headsOf(deps, one.project, isBranchName(targetBranch) ? [targetBranch] : []);
  return heads.has(targetBranch) ? null : { missing: "target_branch" };
}

/** Those of these people whom a merge request of a project can be given to: who may read its code. */
export async function assignableUserIds(
  deps: Pick<Deps, "db" | "clock">,
  project: AuthorizedProject,
  userIds: readonly number[],
): Promise<readonly number[]> {
  if (userIds.length === 0) return [];
  if (project.visibility !== "private") return store.activeUserIds(deps.db, userIds);
  const candidates = { userIds, groupIds: [], least: LEAST_TO_FETCH, most: userIds.length };
  return (await listUsersWithRole(deps, placeOf(project), candidates)).map(({ user }) => user.id);
}

/** A merge request at some time. */
type MergeRequestVersion = Pick<MergeRequest, "project" | "baseSha" | "headSha">;

/** The changes of a merge request since the merge base. */
export const diffOf = (deps: Deps, { project, baseSha, headSha }: MergeRequestVersion): Promise<Diff> =>
  readDiff(deps, project, { from: baseSha, to: headSha });

/** A part of that, file by file. @returns `total`: of all files. */
export const diffPartOf = (
  deps: Deps,
  { project, baseSha, headSha }: MergeRequestVersion,
  part: Readonly<{ skip: number; most: number }>,
): Promise<Readonly<{ files: readonly FileDiff[]; total: number }>> =>
  readDiffPart(deps, project, { from: baseSha, to: headSha, ...part });

/** How many commits it has. */
export const countCommits = (
  deps: Deps,
  { project, baseSha, headSha }: MergeRequestVersion,
): Promise<number> => countBetween(deps, project, { from: baseSha, to: headSha });

/** A part of its commits, the newest first. */
export const commitsOf = (
  deps: Deps,
  { project, baseSha, headSha }: MergeRequestVersion,
  part: Readonly<{ skip: number; most: number }>,
): Promise<readonly Commit[]> => commitsSince(deps, project, { from: baseSha, to: headSha, ...part });

/** Further commits are not read for their authors. */
const COMMITS_MAX = 1_000;

/** Further versions are not read for their heads. */
const VERSIONS_MAX = 1_000;

/**
 * The users who created or pushed its commits. E-mail addresses in commits are what their author wrote, so that users who
 * have pushed the source branch since the merge base count whatever their commits say.
 */
export async function committersOf(
  deps: Deps,
  one: MergeRequestVersion & Pick<MergeRequest, "id" | "sourceBranch">,
): Promise<Committers> {
  const [commits, versions] = await Promise.all([
    commitsOf(deps, one, { skip: 0, most: COMMITS_MAX }),
    store.listVersions(deps.db, one.id, { kind: "offset", page: 1, perPage: VERSIONS_MAX }),
  ]);
  const shas = [...commits.map(({ hash }) => hash), ...versions.rows.map(({ headSha }) => headSha)];
  const { sourceBranch, baseSha, headSha } = one;
  const range = { sourceBranch, baseSha, shas: [...new Set([...shas, headSha])] };
  const pushers = await pushersSince(deps, one.project, range);
  const emails = new Set(
    commits.flatMap(({ author, committer }) => [author.email.toLowerCase(), committer.email.toLowerCase()]),
  );
  const { hostname } = deps.config.baseUrl;
  const signed = [...emails].flatMap((email) => noreplyUserId(email, hostname) ?? []);
  return { userIds: new Set([...pushers, ...signed]), emails };
}

/** A part of its versions, the newest first. */
export const versionsOf = (
  deps: Pick<Deps, "db">,
  { id }: MergeRequest,
  paging: Paging,
): Promise<Page<store.StoredVersion>> => store.listVersions(deps.db, id, paging);

/** A version of a merge request, or null. */
export const findVersion = (
  deps: Pick<Deps, "db">,
  { id }: MergeRequest,
  versionId: number,
): Promise<store.StoredVersion | null> => store.findVersion(deps.db, id, versionId);
