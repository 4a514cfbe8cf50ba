import { createHash } from "node:crypto";
import { z } from "zod";
import { type BranchRights, type ProtectedBranch, rightsFor } from "@/code/protected-branches/rules";
import { branchRights, readPushRules, readRules } from "@/code/protected-branches/service";
import { beginPush } from "@/code/pushes/in-flight";
import { announcePushRecorded } from "@/code/pushes/push-listener";
import { recordPush } from "@/code/pushes/service";
import type { Commit } from "@/code/repositories/commit";
import {
  type CommitStats,
  commitsBetween,
  listCommits,
  readCommit,
  readCommitStats,
} from "@/code/repositories/commit";
import { type FileDiff, mergeBase, readDiff } from "@/code/repositories/diff";
import * as references from "@/code/repositories/reference";
import { findCommit } from "@/code/repositories/revision";
import { FILE_BYTES_MAX, findFile, listTree, readFile, type TreeEntry } from "@/code/repositories/tree";
import { ApiError, badRequest, invalidParameters, notFound, tooLarge } from "@/http-api/errors";
import { flag, text } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { type Page, type Paging, partByName, partOf } from "@/kernel/paging/paging";
import { compilePattern } from "@/kernel/text/pattern";
import type { InProject, OpenProject } from "@/workspace/api/access-rules";
import type { OfProject } from "@/workspace/projects/rules";
import {
  type BranchWithRights,
  type Comparison,
  type FileWithContent,
  fileFields,
} from "./entities/repository";

const revision = text(1_024);
const path = z.string().max(4_096);

export const treeSearch = z.object({
  ref: revision.optional().describe("A branch, a tag or a commit. Default: the default branch."),
  path: path.default("").describe("The path of a folder. Default: the root."),
  recursive: flag.default(false),
});

/** Returns a page of the entries of a folder. @throws ApiError 404 if the revision or folder does not exist. */
export async function readTree(
  deps: Deps,
  { project }: OpenProject,
  { ref, path: folder, recursive }: z.infer<typeof treeSearch>,
  paging: Paging,
): Promise<Page<TreeEntry>> {
  const where = { revision: ref ?? null, path: folder.replace(/^\/+|\/+$/g, ""), recursive };
  const entries = await listTree(deps, project, where);
  if (entries === null) throw notFound("Tree");
  return partByToken(entries, paging, (entry) => entry.path);
}

/**
 * Returns the page that begins after the entry with the page token.
 * @throws ApiError 400 if the list does not contain the page token.
 */
function partByToken<Row>(rows: readonly Row[], paging: Paging, nameOf: (row: Row) => string): Page<Row> {
  const page = partByName(rows, paging, nameOf);
  if (page === null) throw invalidParameters(["page_token is invalid"]);
  return page;
}

export const fileReference = z.object({ file_path: path.min(1), ref: revision.optional() });
type FileReference = z.infer<typeof fileReference>;

async function fileAt(deps: Deps, { project }: OpenProject, { file_path, ref }: FileReference) {
  const file = await findFile(deps, project, { revision: ref ?? null, path: file_path });
  if (file === null) throw notFound("File");
  if (file.sizeBytes > FILE_BYTES_MAX) throw tooLarge();
  return { file, content: await readFile(deps, project, file) };
}

/** Returns a file with its content. @throws ApiError 404 if the file does not exist, 413 if it is too large. */
export async function readRepositoryFile(
  deps: Deps,
  caller: OpenProject,
  query: FileReference,
): Promise<FileWithContent> {
  const { file, content } = await fileAt(deps, caller, query);
  return {
    ref: query.ref ?? "HEAD",
    file,
    content,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

/**
 * Returns the properties of a file as the response headers that GitLab sends. A response to a HEAD request consists of
 * these headers.
 */
export const fileHeaders = (file: FileWithContent): Readonly<Record<string, string>> => {
  const { content: _content, ...properties } = fileFields(file);
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      `x-gitlab-${name.replaceAll("_", "-")}`,
      headerValue(String(value)),
    ]),
  );
};

/**
 * Encodes a header value as UTF-8, as GitLab does. Control characters, which a header cannot contain, are
 * percent-encoded.
 */
const headerValue = (text: string): string =>
  Buffer.from(
    text.replace(/\p{Cc}/gu, (character) => encodeURIComponent(character)),
    "utf8",
  ).toString("latin1");

/** Returns the content of a file. The response headers prevent browsers from running scripts in the file. */
export async function readRawFile(deps: Deps, caller: OpenProject, query: FileReference): Promise<Response> {
  const file = await readRepositoryFile(deps, caller, query);
  const { content } = file;
  const isText = !content.subarray(0, 8_000).includes(0);
  return new Response(new Uint8Array(content), {
    headers: {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/octet-stream",
      "content-disposition": isText ? "inline" : "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      ...fileHeaders(file),
    },
  });
}

const at = z.iso.datetime({ offset: true }).transform((moment) => new Date(moment));

export const commitSearch = z.object({
  ref_name: revision.optional(),
  path: path.optional(),
  since: at.optional(),
  until: at.optional(),
  author: text(255).optional().describe("Text that occurs in the author's name or e-mail address."),
  all: flag
    .default(false)
    .describe("Whether to list the commits of all branches and tags. ref_name is then ignored."),
  first_parent: flag.default(false).describe("Whether to follow only the first parent of merge commits."),
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

/** Returns the diff of a commit against its first parent. @throws ApiError 404 if the commit does not exist. */
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

const nameSearch = z.object({
  search: text(255)
    .optional()
    .describe(
      "Text that occurs in the name. ^text matches names that begin with text, and text$ matches names that end with text.",
    ),
});

export const branchSearch = nameSearch.extend({
  regex: z
    .string()
    .refine((pattern) => compilePattern(pattern) !== null, { message: "regex is invalid" })
    .optional()
    .describe("A regular expression (RE2, at most 100 characters) that matches anywhere in the name."),
  sort: z.enum(["name_asc", "updated_asc", "updated_desc"]).default("name_asc"),
});

export const tagSearch = nameSearch.extend({
  order_by: z.enum(["name", "updated", "version"]).default("updated"),
  sort: z.enum(["asc", "desc"]).default("desc"),
});

const withRights = (
  { project }: OpenProject,
  rules: readonly ProtectedBranch[],
  branch: references.Branch,
): BranchWithRights => ({
  project,
  item: { ...branch, rights: rightsFor(rules, branch.name, project.role) },
});

export async function listBranches(
  deps: Deps,
  caller: OpenProject,
  { search, regex, sort }: z.infer<typeof branchSearch>,
  paging: Paging,
): Promise<Page<BranchWithRights>> {
  if (search !== undefined && regex !== undefined)
    throw invalidParameters(["search, regex are mutually exclusive"]);
  const { rules } = await readRules(deps, caller.project);
  const all = await references.listBranches(deps, caller.project, search ?? "");
  const pattern = regex === undefined ? null : compilePattern(regex);
  const branches = sortBranches(all, sort).filter(({ name }) => pattern?.test(name) ?? true);
  const page = partByToken(branches, paging, ({ name }) => name);
  return { ...page, rows: page.rows.map((branch) => withRights(caller, rules, branch)) };
}

/** Sorts branches by the dates of their commits if the request asks for it. The given branches are ordered by name. */
function sortBranches(
  branches: readonly references.Branch[],
  sort: z.infer<typeof branchSearch>["sort"],
): readonly references.Branch[] {
  if (sort === "name_asc") return branches;
  const sign = sort === "updated_asc" ? 1 : -1;
  const dateOf = ({ commit }: references.Branch): number => commit.committer.at.getTime();
  return branches.toSorted((a, b) => sign * (dateOf(a) - dateOf(b)));
}

export const branchReference = z.object({ branch: text(255) });

/** Returns a branch with the caller's rights on it. @throws ApiError 404 if the branch does not exist. */
export async function readBranch(
  deps: Deps,
  caller: OpenProject,
  { branch }: z.infer<typeof branchReference>,
): Promise<BranchWithRights> {
  const row = await references.findBranch(deps, caller.project, branch);
  if (row === null) throw notFound("Branch");
  return withRights(caller, (await readRules(deps, caller.project)).rules, row);
}

export const newBranch = z.object({ branch: text(255), ref: revision });

/** Creates a branch. @throws ApiError 400 with the error message that GitLab would send. */
export async function createBranch(
  deps: Deps,
  caller: InProject,
  { branch, ref }: z.infer<typeof newBranch>,
): Promise<BranchWithRights> {
  const { rules } = await readRules(deps, caller.project);
  const rights = rightsFor(rules, branch, caller.project.role);
  if (!rights.mayMerge || !(await mayBegin(deps, caller, rights)))
    throw unacceptableBranch("You are not allowed to create protected branches on this project.");
  const commit = await findCommit(deps, caller.project, ref);
  if (commit === null) throw branchRefused("no_commit");
  if (!rights.mayPush && !(await isInProtectedBranch(deps, caller, rules, commit)))
    throw unacceptableBranch(
      "You can only use an existing protected branch ref as the basis of a new protected branch.",
    );
  return withRights(caller, rules, await createAndRecord(deps, caller, branch, commit));
}

/**
 * Returns whether the user may create this branch. In a repository without a default branch, only users who
 * may push to the default branch may create a branch, because the next push makes an existing branch the
 * default branch. The update hook applies the same rule for the first branch.
 */
const mayBegin = async (
  deps: Deps,
  { project }: InProject,
  { isProtected, mayPush }: BranchRights,
): Promise<boolean> =>
  (isProtected && mayPush) ||
  references.defaultBranch(deps, project) !== null ||
  (await readPushRules(deps, project)).mayBegin;

const NO_COMMIT = "0".repeat(40);

/**
 * Creates a branch and records a push by the user. After the push is recorded, the user counts as a committer of the
 * head of the branch.
 */
async function createAndRecord(
  deps: Deps,
  { project, user }: InProject,
  branch: string,
  commit: string,
): Promise<references.Branch> {
  const record = async () => {
    const reference = { ref: `refs/heads/${branch}`, before: NO_COMMIT, after: commit };
    await recordPush(deps, project, user, [reference]);
    await announcePushRecorded(deps, { project, user }, [branch]);
  };
  // If recording fails, `endPush` is never called: the push counts as in flight until the server restarts.
  const endPush = beginPush(project.id, user.id);
  const created = await references
    .createBranch(deps, project, { name: branch, revision: commit })
    .catch(async (cause: unknown) => {
      // Git may have created the branch before it failed.
      await record();
      endPush();
      throw cause;
    });
  if (typeof created !== "string") await record();
  endPush();
  if (typeof created === "string") throw branchRefused(created);
  return created;
}

/**
 * Returns whether a protected branch contains a commit. Users who may merge but not push can create a
 * protected branch only from a commit that a protected branch contains.
 */
async function isInProtectedBranch(
  deps: Deps,
  { project }: InProject,
  rules: readonly ProtectedBranch[],
  commit: string,
): Promise<boolean> {
  const names = await references.branchesWith(deps, project, commit);
  return names.some((name) => rightsFor(rules, name, null).isProtected);
}

/**
 * Deletes a branch. @throws ApiError 404 if the branch does not exist, 400 for the default branch or a protected
 * branch.
 */
export async function removeBranch(
  deps: Deps,
  { project, user }: InProject,
  { branch }: z.infer<typeof branchReference>,
): Promise<null> {
  if (!(await branchRights(deps, project, branch)).mayDelete)
    throw unacceptableBranch(
      "You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.",
    );
  const removed = await references.removeBranch(deps, project, branch);
  if (typeof removed === "string") throw branchRefused(removed);
  const deleted = { ref: `refs/heads/${branch}`, before: removed.commit.hash, after: NO_COMMIT };
  await recordPush(deps, project, user, [deleted]);
  await announcePushRecorded(deps, { project, user }, [branch]);
  return null;
}

const unacceptableBranch = (message: string): ApiError => new ApiError(400, { message });

function branchRefused(refusal: references.BranchRefusal) {
  if (refusal === "not_found") return notFound("Branch");
  if (refusal === "exists") return badRequest("Branch already exists");
  if (refusal === "no_commit") return badRequest("Invalid reference name");
  return badRequest(refusal === "default" ? "Cannot remove the default branch" : "Branch name is invalid");
}

export async function listTags(
  deps: Deps,
  { project }: OpenProject,
  { search, order_by, sort }: z.infer<typeof tagSearch>,
  paging: Paging,
): Promise<Page<OfProject<references.Tag>>> {
  const order = { by: order_by, descending: sort === "desc" };
  const tags = await references.listTags(deps, project, search ?? "", order);
  const page = partByToken(tags, paging, ({ name }) => name);
  return { ...page, rows: page.rows.map((item) => ({ project, item })) };
}

export const comparisonQuery = z.object({ from: revision, to: revision, straight: flag.default(false) });

const COMPARED_COMMITS_MAX = 250;

/**
 * Compares two revisions: returns the commits of `to` that are not in `from`, and the diff from their merge base to
 * `to`.
 * @param query if `straight` is set, the diff starts at `from` itself.
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
