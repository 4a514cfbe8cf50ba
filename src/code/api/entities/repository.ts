import { z } from "zod";
import type { BranchRights } from "@/code/protected-branches/rules";
import type { Commit, CommitStats } from "@/code/repositories/commit";
import type { FileDiff } from "@/code/repositories/diff";
import type { Branch, Tag } from "@/code/repositories/reference";
import type { FileInfo, TreeEntry } from "@/code/repositories/tree";
import { defineEntity, moment } from "@/http-api/entity";
import type { AuthorizedProject, OfProject } from "@/workspace/projects/rules";

export const commitFields = {
  id: z.string(),
  short_id: z.string(),
  created_at: moment,
  parent_ids: z.array(z.string()),
  title: z.string(),
  message: z.string(),
  author_name: z.string(),
  author_email: z.string(),
  authored_date: moment,
  committer_name: z.string(),
  committer_email: z.string(),
  committed_date: moment,
  web_url: z.url(),
};

export const commitOf = (
  { project, item }: OfProject<Commit>,
  issuer: string,
): z.infer<z.ZodObject<typeof commitFields>> => ({
  id: item.hash,
  short_id: item.hash.slice(0, 8),
  created_at: item.committer.at.toISOString(),
  parent_ids: [...item.parents],
  title: item.message.split("\n", 1)[0] ?? "",
  message: item.message,
  author_name: item.author.name,
  author_email: item.author.email,
  authored_date: item.author.at.toISOString(),
  committer_name: item.committer.name,
  committer_email: item.committer.email,
  committed_date: item.committer.at.toISOString(),
  web_url: `${issuer}/projects/${project.id}/commits/${item.hash}`,
});

export const commit = defineEntity("commit", commitFields, (row: OfProject<Commit>, { config }) =>
  commitOf(row, config.issuer),
);

const statsFields = { additions: z.int(), deletions: z.int(), total: z.int() };

/** A commit in a list, with the numbers of added and deleted lines if the request asks for these numbers. */
export const listedCommit = defineEntity(
  "listed_commit",
  { ...commitFields, stats: z.object(statsFields).optional() },
  ({ stats, ...row }: OfProject<Commit> & Readonly<{ stats?: CommitStats | undefined }>, { config }) => {
    const shown = commitOf(row, config.issuer);
    if (stats === undefined) return shown;
    return Object.assign(shown, { stats: { ...stats, total: stats.additions + stats.deletions } });
  },
);

export const treeEntry = defineEntity(
  "tree_entry",
  {
    id: z.string(),
    name: z.string(),
    type: z.enum(["tree", "blob", "commit"]),
    path: z.string(),
    mode: z.string(),
  },
  ({ hash, name, kind, path, mode }: TreeEntry) => ({ id: hash, name, type: kind, path, mode }),
);

export type FileWithContent = Readonly<{ ref: string; file: FileInfo; content: Buffer; sha256: string }>;

export const fileFields = ({ ref, file, content, sha256 }: FileWithContent) => ({
  file_name: file.path.split("/").at(-1) ?? file.path,
  file_path: file.path,
  size: file.sizeBytes,
  encoding: "base64" as const,
  content_sha256: sha256,
  ref,
  blob_id: file.hash,
  commit_id: file.commit,
  last_commit_id: file.lastCommit,
  execute_filemode: file.mode === "100755",
  content: content.toString("base64"),
});

export const repositoryFile = defineEntity(
  "repository_file",
  {
    file_name: z.string(),
    file_path: z.string(),
    size: z.int(),
    encoding: z.literal("base64"),
    content_sha256: z.string(),
    ref: z.string(),
    blob_id: z.string(),
    commit_id: z.string(),
    last_commit_id: z.string(),
    execute_filemode: z.boolean(),
    content: z.string(),
  },
  fileFields,
);

/** A branch, together with the caller's rights on that branch. */
export type BranchWithRights = OfProject<Branch & Readonly<{ rights: BranchRights }>>;

export const branch = defineEntity(
  "branch",
  {
    name: z.string(),
    merged: z.boolean(),
    protected: z.boolean(),
    default: z.boolean(),
    developers_can_push: z.boolean(),
    developers_can_merge: z.boolean(),
    can_push: z.boolean(),
    web_url: z.url(),
    commit: z.object(commitFields),
  },
  ({ project, item }: BranchWithRights, { config }) => ({
    name: item.name,
    merged: false,
    protected: item.rights.isProtected,
    default: item.isDefault,
    developers_can_push: item.rights.developersCanPush,
    developers_can_merge: item.rights.developersCanMerge,
    can_push: item.rights.mayPush,
    web_url: `${config.issuer}/projects/${project.id}/tree?ref=${encodeURIComponent(item.name)}`,
    commit: commitOf({ project, item: item.commit }, config.issuer),
  }),
);

export const tag = defineEntity(
  "tag",
  {
    name: z.string(),
    message: z.string(),
    target: z.string(),
    protected: z.boolean(),
    release: z.null(),
    commit: z.object(commitFields),
  },
  ({ project, item }: OfProject<Tag>, { config }) => ({
    name: item.name,
    message: item.message,
    target: item.target,
    protected: false,
    release: null,
    commit: commitOf({ project, item: item.commit }, config.issuer),
  }),
);

export const diffFields = {
  old_path: z.string(),
  new_path: z.string(),
  a_mode: z.string(),
  b_mode: z.string(),
  diff: z.string(),
  new_file: z.boolean(),
  renamed_file: z.boolean(),
  deleted_file: z.boolean(),
  generated_file: z.boolean(),
  too_large: z.boolean(),
};

/** Returns the mode of a file, without leading zeros. A file that does not exist has the mode 0. */
const modeOf = (mode: string): string => mode.replace(/^0+(?=\d)/, "");

export const diffOf = (file: FileDiff) => ({
  old_path: file.oldPath,
  new_path: file.newPath,
  a_mode: modeOf(file.oldMode),
  b_mode: modeOf(file.newMode),
  diff: file.text,
  new_file: file.kind === "added",
  renamed_file: file.kind === "renamed",
  deleted_file: file.kind === "deleted",
  generated_file: false,
  too_large: file.tooLarge,
});

export const fileDiff = defineEntity("diff", diffFields, diffOf);

/** The comparison of two revisions, as `GET /projects/:id/repository/compare` returns it. */
export type Comparison = Readonly<{
  project: AuthorizedProject;
  commits: readonly Commit[];
  files: readonly FileDiff[];
  overflow: boolean;
  same: boolean;
}>;

export const comparison = defineEntity(
  "comparison",
  {
    commit: z.object(commitFields).nullable(),
    commits: z.array(z.object(commitFields)),
    diffs: z.array(z.object(diffFields)),
    compare_timeout: z.boolean(),
    compare_same_ref: z.boolean(),
    web_url: z.url(),
  },
  ({ project, commits, files, overflow, same }: Comparison, { config }) => {
    const shown = commits.map((item) => commitOf({ project, item }, config.issuer));
    return {
      commit: shown.at(-1) ?? null,
      commits: shown,
      diffs: files.map(diffOf),
      compare_timeout: overflow,
      compare_same_ref: same,
      web_url: `${config.issuer}/projects/${project.id}`,
    };
  },
);
