import type { z } from "zod";
import type { Commit } from "@/code/repositories/commit";
import type { Diff, FileDiff } from "@/code/repositories/diff";
import { notFound } from "@/http-api/errors";
import { flag, id } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { COUNTED_MAX, type Page, type Paging, windowOf } from "@/kernel/paging/paging";
import { refreshMergeability } from "@/review/merge-requests/merge-worker";
import * as mergeRequests from "@/review/merge-requests/service";
import type { OpenProject } from "@/workspace/api/access-rules";
import type { OfProject } from "@/workspace/projects/rules";
import { unified, type VersionWithCode } from "./entities/merge-request";
import { mergeRequestReference, type Reference, requireMergeRequest, withDetails } from "./merge-request";

export const diffInput = mergeRequestReference.extend({
  unidiff: flag.default(false).describe("Whether to start each diff with the file header of diff -u."),
});

async function diffFor(
  deps: Deps,
  mergeRequest: Parameters<typeof mergeRequests.diffOf>[1],
  unidiff: boolean,
): Promise<Diff> {
  const diff = await mergeRequests.diffOf(deps, mergeRequest);
  return unidiff ? { ...diff, files: diff.files.map(unified) } : diff;
}

/** Returns a page of the changed files of a merge request. */
export async function listDiffs(
  deps: Deps,
  context: OpenProject,
  { iid, unidiff }: z.infer<typeof diffInput>,
  paging: Paging,
): Promise<Page<FileDiff>> {
  const mergeRequest = await refreshMergeability(deps, await requireMergeRequest(deps, context, { iid }));
  const { files, total } = await mergeRequests.diffPartOf(deps, mergeRequest, partIn(paging));
  return { rows: unidiff ? files.map(unified) : files, total, next: null };
}

/** Returns the offset and the length of the page that the request selects. */
const partIn = (paging: Paging) => {
  const { skip, take } = windowOf(paging);
  return { skip, most: take };
};

/** Returns a merge request with all changed files. */
export async function readChanges(
  deps: Deps,
  context: OpenProject,
  { iid, unidiff }: z.infer<typeof diffInput>,
) {
  const mergeRequest = await withDetails(
    deps,
    context,
    await refreshMergeability(deps, await requireMergeRequest(deps, context, { iid })),
  );
  return { mergeRequest, diff: await diffFor(deps, mergeRequest, unidiff) };
}

/** Returns a page of the commits of a merge request, newest first. */
export async function listCommits(
  deps: Deps,
  context: OpenProject,
  reference: Reference,
  paging: Paging,
): Promise<Page<OfProject<Commit>>> {
  const mergeRequest = await refreshMergeability(deps, await requireMergeRequest(deps, context, reference));
  const [commits, total] = await Promise.all([
    mergeRequests.commitsOf(deps, mergeRequest, partIn(paging)),
    mergeRequests.countCommits(deps, mergeRequest),
  ]);
  const rows = commits.map((item) => ({ project: context.project, item }));
  return { rows, total: total > COUNTED_MAX ? null : total, next: null };
}

/**
 * Returns a page of the versions of a merge request, newest first. The server records a version for each head
 * that the source branch has had.
 */
export async function listVersions(
  deps: Deps,
  context: OpenProject,
  reference: Reference,
  paging: Paging,
): Promise<Page<mergeRequests.StoredVersion>> {
  const mergeRequest = await refreshMergeability(deps, await requireMergeRequest(deps, context, reference));
  return mergeRequests.versionsOf(deps, mergeRequest, paging);
}

export const versionInput = diffInput.extend({ version_id: id });

/**
 * The maximum number of commits in the API response for a version. If the version has more commits, the
 * response contains the newest of these commits.
 */
const VERSION_COMMITS_MAX = 1_000;

/**
 * Returns a version of a merge request with its commits, newest first, and all changed files.
 * @throws ApiError 404 if the merge request has no such version.
 */
export async function readVersion(
  deps: Deps,
  context: OpenProject,
  { iid, version_id, unidiff }: z.infer<typeof versionInput>,
): Promise<VersionWithCode> {
  const mergeRequest = await requireMergeRequest(deps, context, { iid });
  const version = await mergeRequests.findVersion(deps, mergeRequest, version_id);
  if (version === null) throw notFound("Merge Request Version");
  const { project } = context;
  const snapshot = { ...version, project: mergeRequest.project };
  const [commits, { files }] = await Promise.all([
    mergeRequests.commitsOf(deps, snapshot, { skip: 0, most: VERSION_COMMITS_MAX }),
    diffFor(deps, snapshot, unidiff),
  ]);
  return { project, version, commits, files };
}
