import { z } from "zod";
import { commitFields, commitOf, diffFields, diffOf } from "@/code/api/entities/repository";
import type { Commit } from "@/code/repositories/commit";
import type { Diff, FileDiff } from "@/code/repositories/diff";
import { defineEntity, moment } from "@/http-api/entity";
import { basicUserFields, basicUserOf } from "@/identity/api/entities/user";
import {
  CHANGES_COUNTED_MAX,
  DETAILED_MERGE_STATUSES,
  MERGE_REQUEST_STATES,
  tasksIn,
  type UserSummary,
} from "@/review/merge-requests/rules";
import type { MergeRequestWithStatus, StoredVersion } from "@/review/merge-requests/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";

const user = z.object(basicUserFields);

const fields = {
  id: z.int(),
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(MERGE_REQUEST_STATES),
  created_at: moment,
  updated_at: moment,
  merge_user: user.nullable().describe("The user who merged the merge request or enabled auto-merge."),
  merged_at: moment.nullable(),
  merge_after: z.null(),
  prepared_at: moment,
  closed_by: user.nullable(),
  closed_at: moment.nullable(),
  target_branch: z.string(),
  source_branch: z.string(),
  user_notes_count: z.int(),
  upvotes: z.int(),
  downvotes: z.int(),
  author: user.nullable(),
  assignees: z.array(user),
  assignee: user.nullable(),
  reviewers: z.array(user),
  source_project_id: z.int(),
  target_project_id: z.int(),
  labels: z.array(z.string()),
  draft: z.boolean(),
  work_in_progress: z.boolean(),
  milestone: z.null(),
  merge_when_pipeline_succeeds: z.boolean(),
  detailed_merge_status: z.enum(DETAILED_MERGE_STATUSES),
  sha: z.string(),
  merge_commit_sha: z.string().nullable(),
  squash_commit_sha: z.string().nullable(),
  discussion_locked: z.null(),
  should_remove_source_branch: z.boolean().nullable(),
  force_remove_source_branch: z.boolean(),
  reference: z.string(),
  references: z.object({ short: z.string(), relative: z.string(), full: z.string() }),
  web_url: z.url(),
  time_stats: z.object({
    time_estimate: z.int(),
    total_time_spent: z.int(),
    human_time_estimate: z.null(),
    human_total_time_spent: z.null(),
  }),
  squash: z.boolean(),
  squash_on_merge: z.boolean(),
  task_completion_status: z.object({ count: z.int(), completed_count: z.int() }),
  has_conflicts: z.boolean(),
  blocking_discussions_resolved: z.boolean(),
  imported: z.boolean(),
  imported_from: z.literal("none"),
  approvals_before_merge: z.null(),
};

type Fields = z.infer<z.ZodObject<typeof fields>>;

const userOf = (user: UserSummary | null, issuer: string) => user && basicUserOf(user, issuer);

function mergeRequestOf(mergeRequest: MergeRequestWithStatus, issuer: string): Fields {
  const assignees = mergeRequest.assignees.map((user) => basicUserOf(user, issuer));
  const tasks = tasksIn(mergeRequest.description);
  const isMerged = mergeRequest.state === "merged";
  return {
    id: mergeRequest.id,
    iid: mergeRequest.iid,
    project_id: mergeRequest.project.id,
    title: mergeRequest.title,
    description: mergeRequest.description,
    state: mergeRequest.state,
    created_at: mergeRequest.createdAt.toISOString(),
    updated_at: mergeRequest.updatedAt.toISOString(),
    merge_user: userOf(mergeRequest.mergeUser, issuer),
    merged_at: mergeRequest.mergedAt?.toISOString() ?? null,
    merge_after: null,
    prepared_at: mergeRequest.createdAt.toISOString(),
    closed_by: userOf(mergeRequest.closedBy, issuer),
    closed_at: mergeRequest.closedAt?.toISOString() ?? null,
    target_branch: mergeRequest.targetBranch,
    source_branch: mergeRequest.sourceBranch,
    user_notes_count: 0,
    upvotes: 0,
    downvotes: 0,
    author: userOf(mergeRequest.author, issuer),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: mergeRequest.reviewers.map((user) => basicUserOf(user, issuer)),
    source_project_id: mergeRequest.project.id,
    target_project_id: mergeRequest.project.id,
    labels: [...mergeRequest.labels],
    draft: mergeRequest.draft,
    work_in_progress: mergeRequest.draft,
    milestone: null,
    merge_when_pipeline_succeeds: mergeRequest.autoMerge !== null,
    detailed_merge_status: mergeRequest.status,
    sha: mergeRequest.headSha,
    // While a merge is in progress, the response does not contain the planned merge commit and squash commit,
    // because the merge may still be aborted.
    merge_commit_sha: isMerged ? mergeRequest.mergeCommitSha : null,
    squash_commit_sha: isMerged ? mergeRequest.squashCommitSha : null,
    discussion_locked: null,
    should_remove_source_branch: mergeRequest.removesSource ? true : null,
    force_remove_source_branch: mergeRequest.removesSource,
    reference: `!${mergeRequest.iid}`,
    references: {
      short: `!${mergeRequest.iid}`,
      relative: `!${mergeRequest.iid}`,
      full: `${mergeRequest.project.fullPath}!${mergeRequest.iid}`,
    },
    web_url: `${issuer}/projects/${mergeRequest.project.id}/merge_requests/${mergeRequest.iid}`,
    time_stats: {
      time_estimate: 0,
      total_time_spent: 0,
      human_time_estimate: null,
      human_total_time_spent: null,
    },
    squash: mergeRequest.squash,
    squash_on_merge: mergeRequest.squash,
    task_completion_status: { count: tasks.count, completed_count: tasks.completed },
    has_conflicts: !isMerged && mergeRequest.mergeability === "conflict",
    blocking_discussions_resolved: true,
    imported: false,
    imported_from: "none",
    approvals_before_merge: null,
  };
}

/** A merge request in a list, with the merge status that was stored last. */
export const mergeRequest = defineEntity(
  "merge_request",
  fields,
  (mergeRequest: MergeRequestWithStatus, { config }) => mergeRequestOf(mergeRequest, config.issuer),
);

/** A single merge request, with the permissions of the caller and the requested optional fields. */
export type DetailedMergeRequest = MergeRequestWithStatus &
  Readonly<{ canMerge: boolean; diverged?: number; includesRebaseState?: boolean }>;

const detailFields = {
  ...fields,
  subscribed: z.boolean(),
  changes_count: z.string().nullable(),
  latest_build_started_at: z.null(),
  latest_build_finished_at: z.null(),
  first_deployed_to_production_at: z.null(),
  pipeline: z.null(),
  head_pipeline: z.null(),
  diff_refs: z.object({ base_sha: z.string().nullable(), head_sha: z.string(), start_sha: z.string() }),
  merge_error: z.string().nullable(),
  first_contribution: z.boolean(),
  user: z.object({ can_merge: z.boolean() }),
  diverged_commits_count: z.int().optional(),
  rebase_in_progress: z.boolean().optional(),
};

const countOf = (changes: number): string =>
  changes > CHANGES_COUNTED_MAX ? `${CHANGES_COUNTED_MAX}+` : String(changes);

const detailsOf = (mergeRequest: DetailedMergeRequest, issuer: string) =>
  Object.assign(mergeRequestOf(mergeRequest, issuer), {
    subscribed: false,
    changes_count: countOf(mergeRequest.changesCount),
    latest_build_started_at: null,
    latest_build_finished_at: null,
    first_deployed_to_production_at: null,
    pipeline: null,
    head_pipeline: null,
    diff_refs: {
      base_sha: mergeRequest.baseSha,
      head_sha: mergeRequest.headSha,
      start_sha: mergeRequest.startSha,
    },
    merge_error: mergeRequest.mergeError,
    first_contribution: false,
    user: { can_merge: mergeRequest.canMerge },
    ...(mergeRequest.diverged === undefined ? {} : { diverged_commits_count: mergeRequest.diverged }),
    // A rebase always finishes before the response is sent, so `rebase_in_progress` is always false.
    ...(mergeRequest.includesRebaseState === true ? { rebase_in_progress: false } : {}),
  });

export const mergeRequestDetails = defineEntity(
  "merge_request_details",
  detailFields,
  (mergeRequest: DetailedMergeRequest, { config }) => detailsOf(mergeRequest, config.issuer),
);

/** Adds the file header of `diff -u` (`---` and `+++`) to the diff of a file. */
export const unified = (file: FileDiff): FileDiff =>
  file.text === ""
    ? file
    : {
        ...file,
        text: `--- ${file.kind === "added" ? "/dev/null" : `a/${file.oldPath}`}\n+++ ${
          file.kind === "deleted" ? "/dev/null" : `b/${file.newPath}`
        }\n${file.text}`,
      };

/** A merge request with all changed files. */
export const mergeRequestChanges = defineEntity(
  "merge_request_changes",
  { ...detailFields, changes: z.array(z.object(diffFields)), overflow: z.boolean() },
  ({ mergeRequest, diff }: Readonly<{ mergeRequest: DetailedMergeRequest; diff: Diff }>, { config }) => ({
    ...detailsOf(mergeRequest, config.issuer),
    changes: diff.files.map(diffOf),
    overflow: diff.overflow,
  }),
);

const versionFields = {
  id: z.int(),
  merge_request_id: z.int(),
  head_commit_sha: z.string(),
  base_commit_sha: z.string().nullable(),
  start_commit_sha: z.string(),
  created_at: moment,
  state: z.literal("collected"),
  real_size: z.string(),
};

const versionOf = (version: StoredVersion): z.infer<z.ZodObject<typeof versionFields>> => ({
  id: version.id,
  merge_request_id: version.mergeRequestId,
  head_commit_sha: version.headSha,
  base_commit_sha: version.baseSha,
  start_commit_sha: version.startSha,
  created_at: version.createdAt.toISOString(),
  state: "collected",
  real_size: countOf(version.changesCount),
});

export const mergeRequestVersion = defineEntity("merge_request_version", versionFields, versionOf);

/** A version of a merge request, with its commits and changed files. */
export type VersionWithCode = Readonly<{
  project: AuthorizedProject;
  version: StoredVersion;
  commits: readonly Commit[];
  files: readonly FileDiff[];
}>;

export const mergeRequestVersionDetails = defineEntity(
  "merge_request_version_details",
  {
    ...versionFields,
    commits: z.array(z.object(commitFields)).describe("The commits of the version, newest first."),
    diffs: z.array(z.object(diffFields)),
  },
  ({ project, version, commits, files }: VersionWithCode, { config }) => ({
    ...versionOf(version),
    commits: commits.map((item) => commitOf({ project, item }, config.issuer)),
    diffs: files.map(diffOf),
  }),
);

/** The result of a rebase. */
export const rebaseState = defineEntity(
  "rebase",
  { rebase_in_progress: z.boolean(), merge_error: z.string().nullable() },
  ({ mergeError }: Readonly<{ mergeError: string | null }>) => ({
    rebase_in_progress: false,
    merge_error: mergeError,
  }),
);
