import { createHash } from "node:crypto";
import { z } from "zod";
import type { Commit } from "@/features/repositories/commit";
import { commitsBetween, listCommits, readCommit } from "@/features/repositories/commit";
import { type FileDiff, mergeBase, readDiff } from "@/features/repositories/diff";
import * as references from "@/features/repositories/reference";
import { findCommit } from "@/features/repositories/revision";
import { mayPush } from "@/features/repositories/rules";
import { FILE_BYTES_MAX, findFile, listTree, readFile, type TreeEntry } from "@/features/repositories/tree";
import type { Deps } from "@/platform/deps";
import { type Page, type Paging, partOf } from "@/platform/paging";
import type { Comparison, FileWithContent, Of } from "./entities/repository";
import { badRequest, notFound, tooLarge } from "./errors";
import { flag, text } from "./fields";
import type { InProject, OpenProject } from "./project-endpoint";

const revision = text(1_024);
const path = z.string().max(4_096);

export const treeSearch = z.object({
  ref: revision.optional().describe("A branch, a tag or a commit; the default branch without it."),
  path: path.default("").describe("The folder; the root without it."),
  recursive: flag.default(false),
});

/** @throws ApiError 404 where there is no such revision or folder. */
export async function readTree(
  deps: Deps,
  { project }: OpenProject,
  { ref, path: folder, recursive }: z.infer<typeof treeSearch>,
  paging: Paging,
): Promise<Page<TreeEntry>> {
  const where = { revision: ref ?? null, path: folder.replace(/^\/+|\/+$/g, ""), recursive };
  const entries = await listTree(deps, project, where);
  if (entries === null) throw notFound("Tree");
  return partOf(entries, paging);
}

export const fileReference = z.object({ file_path: path.min(1), ref: revision.optional() });
type FileReference = z.infer<typeof fileReference>;

async function fileAt(deps: Deps, { project }: OpenProject, { file_path, ref }: FileReference) {
  const file = await findFile(deps, project, { revision: ref ?? null, path: file_path });
  if (file === null) throw notFound("File");
  if (file.sizeBytes > FILE_BYTES_MAX) throw tooLarge();
  return { file, content: await readFile(deps, project, file) };
}

/** @throws ApiError 404 where there is no such file, 413 where it is too large. */
export async function readRepositoryFile(
  deps: Deps,
  who: OpenProject,
  ask: FileReference,
): Promise<FileWithContent> {
  const { file, content } = await fileAt(deps, who, ask);
  return {
    ref: ask.ref ?? "HEAD",
    file,
    content,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

/** A file as it is. Whatever it is, a browser must not run it here. */
export async function readRawFile(deps: Deps, who: OpenProject, ask: FileReference): Promise<Response> {
  const { file, content } = await fileAt(deps, who, ask);
  const isText = !content.subarray(0, 8_000).includes(0);
  return new Response(new Uint8Array(content), {
    headers: {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
      "content-disposition": isText ? "inline" : "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-gitlab-blob-id": file.hash,
      "x-gitlab-commit-id": file.commit,
      "x-gitlab-last-commit-id": file.lastCommit,
      "x-gitlab-size": String(file.sizeBytes),
    },
  });
}

const at = z.iso.datetime({ offset: true }).transform((moment) => new Date(moment));

export const commitSearch = z.object({
  ref_name: revision.optional(),
  path: path.optional(),
  since: at.optional(),
  until: at.optional(),
});

/** @throws ApiError 404 where there is no such revision. */
export async function readCommits(
  deps: Deps,
  { project }: OpenProject,
  { ref_name, path: file, since, until }: z.infer<typeof commitSearch>,
  paging: Paging,
): Promise<Page<Of<Commit>>> {
  const skip = paging.kind === "offset" ? (paging.page - 1) * paging.perPage : 0;
  const ask = { revision: ref_name ?? null, path: file, since, until, skip, most: paging.perPage };
  const commits = await listCommits(deps, project, ask);
  // An empty repository has no commits, which is no mistake of the caller's.
  if (commits === null && ref_name !== undefined) throw notFound("Commit");
  return { rows: (commits ?? []).map((thing) => ({ project, thing })), total: null, next: null };
}

export const commitReference = z.object({ sha: revision });
type CommitReference = z.infer<typeof commitReference>;

/** @throws ApiError 404 where there is no such commit. */
export async function readOneCommit(
  deps: Deps,
  { project }: OpenProject,
  { sha }: CommitReference,
): Promise<Of<Commit>> {
  const thing = await readCommit(deps, project, sha);
  if (thing === null) throw notFound("Commit");
  return { project, thing };
}

/** What a commit changed, against the first of its parents. */
export async function readCommitDiff(
  deps: Deps,
  who: OpenProject,
  ask: CommitReference,
  paging: Paging,
): Promise<Page<FileDiff>> {
  const { thing } = await readOneCommit(deps, who, ask);
  const { files } = await readDiff(deps, who.project, { from: thing.parents[0] ?? null, to: thing.hash });
  return partOf(files, paging);
}

export const nameSearch = z.object({ search: text(255).optional() });

const withRight = ({ project }: OpenProject, branch: references.Branch) => ({
  project,
  thing: { ...branch, canPush: mayPush(project.role) },
});
type BranchSeen = ReturnType<typeof withRight>;

export async function listBranches(
  deps: Deps,
  who: OpenProject,
  { search }: z.infer<typeof nameSearch>,
  paging: Paging,
): Promise<Page<BranchSeen>> {
  const page = partOf(await references.listBranches(deps, who.project, search ?? ""), paging);
  return { ...page, rows: page.rows.map((branch) => withRight(who, branch)) };
}

export const branchReference = z.object({ branch: text(255) });

/** @throws ApiError 404 where there is no such branch. */
export async function readBranch(
  deps: Deps,
  who: OpenProject,
  { branch }: z.infer<typeof branchReference>,
): Promise<BranchSeen> {
  const found = await references.findBranch(deps, who.project, branch);
  if (found === null) throw notFound("Branch");
  return withRight(who, found);
}

export const newBranch = z.object({ branch: text(255), ref: revision });

/** @throws ApiError 400 in the words of the dialect. */
export async function createBranch(
  deps: Deps,
  who: InProject,
  { branch, ref }: z.infer<typeof newBranch>,
): Promise<BranchSeen> {
  const made = await references.createBranch(deps, who.project, { name: branch, revision: ref });
  if (typeof made === "string") throw branchRefused(made);
  return withRight(who, made);
}

/** @throws ApiError 404 where there is no such branch, 400 for the default one. */
export async function removeBranch(
  deps: Deps,
  { project }: InProject,
  { branch }: z.infer<typeof branchReference>,
): Promise<null> {
  const refusal = await references.removeBranch(deps, project, branch);
  if (refusal !== null) throw branchRefused(refusal);
  return null;
}

function branchRefused(refusal: references.BranchRefusal) {
  if (refusal === "not_found") return notFound("Branch");
  if (refusal === "exists") return badRequest("Branch already exists");
  if (refusal === "no_commit") return badRequest("Invalid reference name");
  return badRequest(refusal === "default" ? "Cannot remove the default branch" : "Branch name is invalid");
}

export async function listTags(
  deps: Deps,
  { project }: OpenProject,
  { search }: z.infer<typeof nameSearch>,
  paging: Paging,
): Promise<Page<Of<references.Tag>>> {
  const page = partOf(await references.listTags(deps, project, search ?? ""), paging);
  return { ...page, rows: page.rows.map((thing) => ({ project, thing })) };
}

export const comparisonAsk = z.object({ from: revision, to: revision, straight: flag.default(false) });

const COMPARED_COMMITS_MAX = 250;

/**
 * What `to` has that `from` has not: since they parted, or straight between the two.
 * @throws ApiError 404 where one of them is not there.
 */
export async function compare(
  deps: Deps,
  { project }: OpenProject,
  { from, to, straight }: z.infer<typeof comparisonAsk>,
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
