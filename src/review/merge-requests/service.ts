import { LEAST_TO_FETCH } from "@/access/code";
import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import { branchRights } from "@/code/protected-branches/service";
import { pushersSince } from "@/code/pushes/service";
import { type Commit, commitsSince, countBetween } from "@/code/repositories/commit";
import { type Diff, type FileDiff, readDiff, readDiffPart } from "@/code/repositories/diff";
import { noreplyUserId } from "@/code/repositories/signature";
import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import { listUsersWithRole } from "@/workspace/members/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { resourceOf } from "@/workspace/projects/service";
import { assess, headsOf, keepVersion } from "./branches";
import { announceChange } from "./change-listener";
import * as lifecycleStore from "./lifecycle-store";
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
import * as versionStore from "./version-store";

export type { StoredVersion } from "./version-store";

/** A merge request with the merge status that was stored last. */
export type MergeRequestWithStatus = MergeRequest & Readonly<{ status: DetailedMergeStatus }>;

/** A user, and the project in which the user acts. */
export type Actor = Readonly<{ project: AuthorizedProject; user: User }>;

/** Returns the merge request with this number in the project, or null. */
export const findMergeRequest = (
  deps: Pick<Deps, "reads">,
  project: Readonly<{ id: number }>,
  iid: number,
): Promise<MergeRequest | null> => store.find(deps.reads, project.id, iid);

/** Returns the merge requests with these ids, in any order. */
export const findMergeRequestsByIds = (
  deps: Pick<Deps, "reads">,
  ids: readonly number[],
): Promise<readonly MergeRequest[]> => store.findByIds(deps.reads, ids);

type StatusDeps = Pick<Deps, "db" | "reads" | "clock" | "hooks">;

/**
 * Adds to merge requests the merge status that was stored last. The number of queries does not depend on the
 * number of merge requests.
 */
export async function withStatuses(
  deps: StatusDeps,
  mergeRequests: readonly MergeRequest[],
): Promise<readonly MergeRequestWithStatus[]> {
  const blocks = await findBlocks(deps, mergeRequests);
  return mergeRequests.map((mergeRequest) =>
    Object.assign({}, mergeRequest, { status: statusOf(mergeRequest, blocks(mergeRequest)) }),
  );
}

/** Adds to a merge request the merge status that was stored last. */
export async function withStatus(
  deps: StatusDeps,
  mergeRequest: MergeRequest,
): Promise<MergeRequestWithStatus> {
  return { ...mergeRequest, status: statusOf(mergeRequest, await blocksOf(deps, mergeRequest)) };
}

/** Returns whether a user may merge into a branch, according to the user's role and the branch protection. */
export const mayMergeInto = async (
  deps: Pick<Deps, "db" | "reads" | "config">,
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

/**
 * The reason why a merge request was not created. `other` is the number of the open merge request with the same
 * branches.
 */
export type DraftRefusal =
  | "not_allowed"
  | "same_branch"
  | Readonly<{ missing: "source_branch" | "target_branch" }>
  | Readonly<{ other: number }>;

/**
 * Creates a merge request.
 * @returns the merge request, or the reason for the refusal.
 */
export async function createMergeRequest(
  deps: Deps,
  { project, user }: Actor,
  draft: Draft,
): Promise<MergeRequest | DraftRefusal> {
  if (!reaches(project.role, LEAST_TO_MERGE)) return "not_allowed";
  const { sourceBranch, targetBranch, assigneeIds, reviewerIds, labels, ...fields } = draft;
  if (sourceBranch === targetBranch) return "same_branch";
  const heads = headsOf(deps, project, [sourceBranch, targetBranch]);
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
      await announceChange(within, { id: inserted, action: "open", userId: user.id, before: null });
      return inserted;
    });
    created = requireStored(await store.findById(deps.reads, id));
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    return { other: (await store.findOpen(deps.db, branches))?.iid ?? 0 };
  }
  await refreshChecks(deps, created);
  return created;
}

/**
 * Returns a merge request after it was written to the database.
 * @throws Error if the merge request was deleted immediately after it was written.
 */
function requireStored(mergeRequest: MergeRequest | null): MergeRequest {
  if (mergeRequest === null) throw new Error("The merge request was deleted.");
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

/**
 * The reason why a merge request was not changed. `not_open` means that a merge is in progress or finished,
 * so the state or the target branch can no longer be changed, or that another user has changed the target branch.
 * `gone` means that the merge request was deleted.
 */
export type ChangeRefusal = DraftRefusal | "not_open" | "gone";

/** Thrown in a transaction to undo the other changes of a refused request. */
class Refused extends Error {
  readonly reason: "not_open" | "gone";

  constructor(reason: "not_open" | "gone") {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Edits, closes or reopens a merge request.
 * @returns the merge request, or the reason for the refusal. A refused request changes nothing.
 */
export async function updateMergeRequest(
  deps: Deps,
  { project, user }: Actor,
  mergeRequest: MergeRequest,
  changes: Changes,
): Promise<MergeRequest | ChangeRefusal> {
  if (!mayChange(mergeRequest, project.role, user)) return "not_allowed";
  const refusal = await targetRefusal(deps, mergeRequest, changes.targetBranch);
  if (refusal !== null) return refusal;
  try {
    await deps.transaction((within) => applyChanges(within, mergeRequest, changes, user.id));
  } catch (cause) {
    if (cause instanceof Refused) return cause.reason;
    if (!isUniqueViolation(cause)) throw cause;
    const targetBranch = changes.targetBranch ?? mergeRequest.targetBranch;
    const branches = { ...mergeRequest, projectId: project.id, targetBranch };
    return { other: (await store.findOpen(deps.db, branches))?.iid ?? 0 };
  }
  return (await store.findById(deps.reads, mergeRequest.id)) ?? "gone";
}

/**
 * Changes a merge request in the transaction of `within`. The function locks the merge request and reads it again,
 * because another request may have closed or reopened the merge request.
 * @throws Refused if the merge request was deleted, if a merge is in progress or finished, or if another user has
 * changed the target branch.
 */
async function applyChanges(
  within: Deps,
  { id, targetBranch: shownTarget }: MergeRequest,
  { state, targetBranch, ...fields }: Changes,
  userId: number,
): Promise<void> {
  const now = within.clock();
  const before = (await store.lock(within.db, id)) ? await store.findById(within.reads, id) : null;
  if (before === null) throw new Refused("gone");
  if (targetBranch !== undefined && targetBranch !== before.targetBranch) {
    if (!(await lifecycleStore.retarget(within.db, before, targetBranch))) throw new Refused("not_open");
    await announceRetargeted(within, before, userId);
  }
  if (Object.keys(fields).length > 0) await store.update(within.db, id, { ...fields, updatedAt: now });
  const isClosed = state === "close" && before.state !== "closed";
  const isReopened = state === "reopen" && before.state !== "opened";
  if (isClosed && !(await lifecycleStore.close(within.db, id, userId, now))) throw new Refused("not_open");
  // A merge request is not reopened with a target branch that the user has not seen.
  const reopened = { ...before, targetBranch: targetBranch ?? shownTarget };
  if (isReopened && !(await lifecycleStore.reopen(within.db, reopened, now))) throw new Refused("not_open");
  const action = isClosed ? "close" : isReopened ? "reopen" : "update";
  await announceChange(within, { id, action, userId, before });
}

async function targetRefusal(
  deps: Deps,
  mergeRequest: MergeRequest,
  targetBranch: string | undefined,
): Promise<ChangeRefusal | null> {
  if (targetBranch === undefined || targetBranch === mergeRequest.targetBranch) return null;
  if (targetBranch === mergeRequest.sourceBranch) return "same_branch";
  return headsOf(deps, mergeRequest.project, [targetBranch]).has(targetBranch)
    ? null
    : { missing: "target_branch" };
}

/**
 * Returns those of the users who can be assignees or reviewers in a project: the users who may read the
 * source code of the project.
 */
export async function assignableUserIds(
  deps: Pick<Deps, "db" | "reads" | "clock">,
  project: AuthorizedProject,
  userIds: readonly number[],
): Promise<readonly number[]> {
  if (userIds.length === 0) return [];
  if (project.visibility !== "private") return store.activeUserIds(deps.db, userIds);
  const candidates = { userIds, groupIds: [], least: LEAST_TO_FETCH, most: userIds.length };
  return (await listUsersWithRole(deps, resourceOf(project), candidates)).map(({ user }) => user.id);
}

/**
 * A merge request or a version of a merge request: the project, the head commit, and the merge base from
 * which the changes are determined.
 */
type MergeRequestVersion = Pick<MergeRequest, "project" | "baseSha" | "headSha">;

/** Returns the diff between the merge base and the head of a merge request. */
export const diffOf = (deps: Deps, { project, baseSha, headSha }: MergeRequestVersion): Promise<Diff> =>
  readDiff(deps, project, { from: baseSha, to: headSha });

/** Returns a page of the changed files of a merge request. `total` is the number of all changed files. */
export const diffPartOf = (
  deps: Deps,
  { project, baseSha, headSha }: MergeRequestVersion,
  part: Readonly<{ skip: number; most: number }>,
): Promise<Readonly<{ files: readonly FileDiff[]; total: number }>> =>
  readDiffPart(deps, project, { from: baseSha, to: headSha, ...part });

/** Returns the number of commits of a merge request since the merge base. */
export const countCommits = (
  deps: Deps,
  { project, baseSha, headSha }: MergeRequestVersion,
): Promise<number> => countBetween(deps, project, { from: baseSha, to: headSha });

/** Returns a page of the commits of a merge request since the merge base, newest first. */
export const commitsOf = (
  deps: Deps,
  { project, baseSha, headSha }: MergeRequestVersion,
  part: Readonly<{ skip: number; most: number }>,
): Promise<readonly Commit[]> => commitsSince(deps, project, { from: baseSha, to: headSha, ...part });

/** The maximum number of commits whose authors count as committers. */
const COMMITS_MAX = 1_000;

/** The maximum number of versions of a merge request whose heads are compared with recorded pushes. */
const VERSIONS_MAX = 1_000;

/**
 * Returns the users who authored, committed or pushed the commits of a merge request. Git does not verify the
 * e-mail addresses in commits. Because Git does not verify e-mail addresses, the result also includes all
 * users who pushed commits after the merge base to the source branch.
 */
export async function committersOf(
  deps: Deps,
  mergeRequest: MergeRequestVersion & Pick<MergeRequest, "id" | "sourceBranch">,
): Promise<Committers> {
  const [commits, versions] = await Promise.all([
    commitsOf(deps, mergeRequest, { skip: 0, most: COMMITS_MAX }),
    versionStore.listVersions(deps.db, mergeRequest.id, { kind: "offset", page: 1, perPage: VERSIONS_MAX }),
  ]);
  const shas = [...commits.map(({ hash }) => hash), ...versions.rows.map(({ headSha }) => headSha)];
  const { sourceBranch, baseSha, headSha } = mergeRequest;
  const range = { sourceBranch, baseSha, shas: [...new Set([...shas, headSha])] };
  const pushers = await pushersSince(deps, mergeRequest.project, range);
  const emails = new Set(
    commits.flatMap(({ author, committer }) => [author.email.toLowerCase(), committer.email.toLowerCase()]),
  );
  const { hostname } = deps.config.baseUrl;
  const signed = [...emails].flatMap((email) => noreplyUserId(email, hostname) ?? []);
  return { userIds: new Set([...pushers, ...signed]), emails };
}

/** Returns a page of the versions of a merge request, newest first. */
export const versionsOf = (
  deps: Pick<Deps, "db">,
  { id }: MergeRequest,
  paging: Paging,
): Promise<Page<versionStore.StoredVersion>> => versionStore.listVersions(deps.db, id, paging);

/** Returns a version of a merge request, or null. */
export const findVersion = (
  deps: Pick<Deps, "db">,
  { id }: MergeRequest,
  versionId: number,
): Promise<versionStore.StoredVersion | null> => versionStore.findVersion(deps.db, id, versionId);
