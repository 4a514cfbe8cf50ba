import { z } from "zod";
import {
  type Commit,
  type CommitStats,
  commitsBetween,
  listCommits,
  readCommit,
  readCommitStats,
} from "@/code/repositories/commit";
import { type FileDiff, mergeBase, readDiff } from "@/code/repositories/diff";
import { findCommit } from "@/code/repositories/revision";
import { notFound } from "@/http-api/errors";
import { flag, instant, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partOf } from "@/kernel/paging/paging";
import type { OpenProject } from "@/workspace/api/access-rules";
import type { OfProject } from "@/workspace/projects/rules";
import type { Comparison } from "./entities/repository";
import { path, revision } from "./fields";

export const commitSearch = z.object({
  ref_name: revision.optional(),
  path: path.optional(),
  since: instant.optional(),
  until: instant.optional(),
  author: text(255).optional().describe("Text that occurs in the author's name or e-mail address."),
  all: flag
    .default(false)
    .describe("Whether to list the commits of all branches and tags. If true, ref_name is ignored."),
  first_parent: flag.default(false).describe("Whether to follow only the first parent of each merge commit."),
  order: z.enum(["default", "topo"]).default("default"),
  with_stats: flag
    .default(false)
    .describe("Whether to include the numbers of lines that each commit adds and deletes."),
});

/** Returns a page of the commits of a revision. @throws ApiError 404 if the revision does not exist. */
export async function readCommits(
  deps: Deps,
  { project }: OpenProject,
  { ref_name, path: file, since, until, author, ...flags }: z.infer<typeof commitSearch>,
  paging: Paging,
): Promise<Page<OfProject<Commit> & Readonly<{ stats?: CommitStats | undefined }>>> {
  const skip = paging.kind === "offset" ? (paging.page - 1) * paging.perPage : 0;
  const search = {
    revision: ref_name ?? null,
    ...{ path: file, since, until, author, skip, most: paging.perPage },
    everywhere: flags.all,
    firstParent: flags.first_parent,
    topological: flags.order === "topo",
  };
  const commits = await listCommits(deps, project, search);
  // A request without `ref_name` for an empty repository returns an empty list, not an error.
  if (commits === null && ref_name !== undefined) throw notFound("Commit");
  const hashes = (commits ?? []).map(({ hash }) => hash);
  const stats = flags.with_stats ? await readCommitStats(deps, project, hashes) : null;
  const rows = (commits ?? []).map((item) => ({ project, item, stats: stats?.get(item.hash) }));
  return { rows, total: null, next: null };
}

export const commitReference = z.object({ sha: revision });

type CommitReference = z.infer<typeof commitReference>;

/** Returns a commit. @throws ApiError 404 if the commit does not exist. */
export async function readOneCommit(
  deps: Deps,
  { project }: OpenProject,
  { sha }: CommitReference,
): Promise<OfProject<Commit>> {
  const item = await readCommit(deps, project, sha);
  if (item === null) throw notFound("Commit");
  return { project, item };
}

/**
 * Returns the diff between a commit and the first parent of the commit.
 * @throws ApiError 404 if the commit does not exist.
 */
export async function readCommitDiff(
  deps: Deps,
  caller: OpenProject,
  query: CommitReference,
  paging: Paging,
): Promise<Page<FileDiff>> {
  const { item } = await readOneCommit(deps, caller, query);
  const { files } = await readDiff(deps, caller.project, { from: item.parents[0] ?? null, to: item.hash });
  return partOf(files, paging);
}

export const comparisonQuery = z.object({ from: revision, to: revision, straight: flag.default(false) });

const COMPARED_COMMITS_MAX = 250;

/**
 * Compares two revisions: returns the commits of `to` that are not in `from`, and the diff from the merge
 * base of both revisions to `to`.
 * @param query if `straight` is set, the diff starts at `from` instead of the merge base.
 * @throws ApiError 404 if one of the revisions does not exist.
 */
export async function compare(
  deps: Deps,
  { project }: OpenProject,
  { from, to, straight }: z.infer<typeof comparisonQuery>,
): Promise<Comparison> {
  const [before, after] = await Promise.all([findCommit(deps, project, from), findCommit(deps, project, to)]);
  if (before === null || after === null) throw notFound("Ref");
  const base = straight ? before : await mergeBase(deps, project, before, after);
  const [commits, diff] = await Promise.all([
    commitsBetween(deps, project, { from: before, to: after, most: COMPARED_COMMITS_MAX }),
    readDiff(deps, project, { from: base, to: after }),
  ]);
  return { project, commits, ...diff, same: before === after };
}
