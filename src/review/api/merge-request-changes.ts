import type { z } from "zod";
import type { Commit } from "@/code/repositories/commit";
import type { Diff, FileDiff } from "@/code/repositories/diff";
import { notFound } from "@/http-api/errors";
import { flag, id } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { COUNTED_MAX, type Page, type Paging, windowOf } from "@/kernel/paging/paging";
import { refreshMergeability } from "@/review/merge-requests/merge-worker";
import * as mergeRequests from "@/review/merge-requests/service";
import type { OpenProject } from "@/workspace/api/places";
import type { OfProject } from "@/workspace/projects/rules";
import { unified, type VersionWithCode } from "./entities/merge-request";
import { mergeRequestReference, type Reference, requireMergeRequest, withDetails } from "./merge-request";

export const diffInput = mergeRequestReference.extend({
  unidiff: flag.default(false).describe("With the names of the files before each, as diff -u has them."),
});

async function diffFor(
  deps: Deps,
  one: Parameters<typeof mergeRequests.diffOf>[1],
  unidiff: boolean,
): Promise<Diff> {
  const diff = await mergeRequests.diffOf(deps, one);
  return unidiff ? { ...diff, files: diff.files.map(unified) } : diff;
}

/** The changes of a merge request, file by file. */
export async function listDiffs(
  deps: Deps,
  who: OpenProject,
  { iid, unidiff }: z.infer<typeof diffInput>,
  paging: Paging,
): Promise<Page<FileDiff>> {
  const one = await refreshMergeability(deps, await requireMergeRequest(deps, who, { iid }));
  const { files, total } = await mergeRequests.diffPartOf(deps, one, partIn(paging));
  return { rows: unidiff ? files.map(unified) : files, total, next: null };
}

/** Which rows a page by number has. */
const partIn = (paging: Paging) => {
  const { skip, take } = windowOf(paging);
  return { skip, most: take };
};

/** A merge request with all that it changes. */
export async function readChanges(deps: Deps, who: OpenProject, { iid, unidiff }: z.infer<typeof diffInput>) {
  const one = await withDetails(
    deps,
    who,
    await refreshMergeability(deps, await requireMergeRequest(deps, who, { iid })),
  );
  return { one, diff: await diffFor(deps, one, unidiff) };
}

/** The commits of a merge request, the newest first. */
export async function listCommits(
  deps: Deps,
  who: OpenProject,
  reference: Reference,
  paging: Paging,
): Promise<Page<OfProject<Commit>>> {
  const one = await refreshMergeability(deps, await requireMergeRequest(deps, who, reference));
  const [commits, total] = await Promise.all([
    mergeRequests.commitsOf(deps, one, partIn(paging)),
    mergeRequests.countCommits(deps, one),
  ]);
  const rows = commits.map((item) => ({ project: who.project, item }));
  return { rows, total: total > COUNTED_MAX ? null : total, next: null };
}

/** The versions of a merge request, one for each head of its source branch, the newest first. */
export async function listVersions(
  deps: Deps,
  who: OpenProject,
  reference: Reference,
  paging: Paging,
): Promise<Page<mergeRequests.StoredVersion>> {
  const one = await refreshMergeability(deps, await requireMergeRequest(deps, who, reference));
  return mergeRequests.versionsOf(deps, one, paging);
}

export const versionInput = diffInput.extend({ version_id: id });

/** Of a version with more commits, the newest are shown. */
const VERSION_COMMITS_MAX = 1_000;

/**
 * One of them with its commits, the newest first, and with all that it changes.
 * @throws ApiError 404 where the merge request has no such version.
 */
export async function readVersion(
  deps: Deps,
  who: OpenProject,
  { iid, version_id, unidiff }: z.infer<typeof versionInput>,
): Promise<VersionWithCode> {
  const one = await requireMergeRequest(deps, who, { iid });
  const version = await mergeRequests.findVersion(deps, one, version_id);
  if (version === null) throw notFound("Merge Request Version");
  const { project } = who;
  const then = { ...version, project: one.project };
  const [commits, { files }] = await Promise.all([
    mergeRequests.commitsOf(deps, then, { skip: 0, most: VERSION_COMMITS_MAX }),
    diffFor(deps, then, unidiff),
  ]);
  return { project, version, commits, files };
}
