import { readCommit } from "@/code/repositories/commit";
import type { Deps } from "@/kernel/deps/deps";
import { type MergeRequest, statusOf } from "@/review/merge-requests/rules";
import { type ProjectFacts, projectFields, repositoryFields, userFields } from "./common-fields";
import { commitFields } from "./push-payload";
import type { MergeRequestSource } from "./sources";

const STATE_IDS = { opened: 1, closed: 2, merged: 3, locked: 4 } as const;

/** The older names that GitLab uses for the merge status. */
const MERGE_STATUSES = {
  clean: "can_be_merged",
  conflict: "cannot_be_merged",
  empty: "cannot_be_merged",
  missing: "cannot_be_merged",
  unchecked: "unchecked",
} as const satisfies Record<MergeRequest["mergeability"], string>;

/** Returns the body of a merge request event in GitLab's format. */
export async function mergeRequestPayload(deps: Deps, source: MergeRequestSource, facts: ProjectFacts) {
  const { issuer } = deps.config;
  const { mergeRequest, action, systemAction, oldHead, changes } = source;
  const { id, iid, title, description, labels, author, assignees, reviewers, state } = mergeRequest;
  const project = projectFields(facts, issuer);
  const head = await readCommit(deps, facts.project, mergeRequest.headSha).catch(() => null);
  const labelFields = labels.map((name) => ({ title: name }));
  return {
    object_kind: "merge_request",
    event_type: "merge_request",
    user: userFields(facts.user, issuer),
    project,
    repository: repositoryFields(facts, issuer),
    object_attributes: {
      ...{ id, iid, title, description, state, action },
      ...(oldHead === null ? {} : { oldrev: oldHead }),
      ...(systemAction === undefined ? {} : { system: true, system_action: systemAction }),
      target_branch: mergeRequest.targetBranch,
      source_branch: mergeRequest.sourceBranch,
      source_project_id: facts.project.id,
      target_project_id: facts.project.id,
      author_id: author?.id ?? null,
      assignee_id: assignees[0]?.id ?? null,
      assignee_ids: assignees.map((user) => user.id),
      reviewer_ids: reviewers.map((user) => user.id),
      state_id: STATE_IDS[state],
      created_at: mergeRequest.createdAt,
      updated_at: mergeRequest.updatedAt,
      merge_status: MERGE_STATUSES[mergeRequest.mergeability],
      detailed_merge_status: statusOf(mergeRequest, []),
      merge_commit_sha: mergeRequest.mergeCommitSha,
      squash_commit_sha: mergeRequest.squashCommitSha,
      merge_user_id: mergeRequest.mergeUser?.id ?? null,
      merge_error: mergeRequest.mergeError,
      merge_when_pipeline_succeeds: mergeRequest.autoMerge !== null,
      merge_params: { force_remove_source_branch: mergeRequest.removesSource },
      draft: mergeRequest.draft,
      work_in_progress: mergeRequest.draft,
      blocking_discussions_resolved: true,
      milestone_id: null,
      url: `${issuer}/projects/${facts.project.id}/merge_requests/${iid}`,
      source: project,
      target: project,
      last_commit: head && commitFields(head, facts, issuer),
      labels: labelFields,
    },
    labels: labelFields,
    changes,
    assignees: assignees.map((user) => userFields(user, issuer)),
    reviewers: reviewers.map((user) => userFields(user, issuer)),
  };
}
