import { z } from "zod";
import {
  conflict,
  conflicts,
  forbidden,
  invalidParameters,
  notFound,
  unacceptable,
  unprocessable,
} from "@/http-api/errors";
import { flag, id, idOrZero, ids, text, words } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { mergeWhenReady, releaseStaleLock } from "@/review/merge-requests/merge-worker";
import type { MergeRequest } from "@/review/merge-requests/rules";
import { DESCRIPTION_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from "@/review/merge-requests/schema";
import * as mergeRequests from "@/review/merge-requests/service";
import type { InProject } from "@/workspace/api/access-rules";
import type { DetailedMergeRequest } from "./entities/merge-request";
import { mergeRequestReference, requireMergeRequest, withDetails } from "./merge-request";

const branch = text(255);

/** A user id. The value 0 or an empty string means that there is no user. */
const userIdOrNone = z.union([idOrZero, z.literal("").transform(() => 0)]);

const commonFields = {
  description: z.string().max(DESCRIPTION_CHARACTERS_MAX).nullish(),
  assignee_id: userIdOrNone.nullish().meta({ type: ["integer", "null"] }),
  assignee_ids: ids.optional(),
  reviewer_ids: ids.optional(),
  labels: words.optional(),
  remove_source_branch: flag.optional().describe("Whether a merge deletes the source branch."),
  squash: flag.optional().describe("Whether a merge squashes all commits into one."),
};

const title = text(TITLE_CHARACTERS_MAX).min(1);

export const newMergeRequest = z.object({
  ...commonFields,
  title,
  source_branch: branch.min(1),
  target_branch: branch.min(1),
  target_project_id: id.optional(),
});

/** Creates a merge request. @throws ApiError 400, 403, 409 or 422. */
export async function createMergeRequest(
  deps: Deps,
  context: InProject,
  input: z.infer<typeof newMergeRequest>,
): Promise<DetailedMergeRequest> {
  if (input.target_project_id !== undefined && input.target_project_id !== context.project.id)
    throw unacceptable({ target_project_id: ["must be the project of the source branch"] });
  const outcome = await mergeRequests.createMergeRequest(deps, context, {
    sourceBranch: input.source_branch,
    targetBranch: input.target_branch,
    title: input.title,
    description: input.description ?? "",
    squash: input.squash ?? false,
    removesSource: input.remove_source_branch ?? false,
    assigneeIds: (await assigneesIn(deps, context, input)) ?? [],
    reviewerIds: await mergeRequests.assignableUserIds(deps, context.project, input.reviewer_ids ?? []),
    labels: input.labels ?? [],
  });
  return withDetails(deps, context, requireAccepted(outcome));
}

type AssigneeFields = Readonly<{
  assignee_id?: number | null | undefined;
  assignee_ids?: number[] | undefined;
}>;

/**
 * Returns the ids of the assignees in the request; undefined if the request has no assignees. Users who cannot be
 * assignees are ignored, as in GitLab.
 */
async function assigneesIn(
  deps: Deps,
  { project }: InProject,
  { assignee_id, assignee_ids }: AssigneeFields,
) {
  if (assignee_ids === undefined && assignee_id === undefined) return undefined;
  const userIds = assignee_ids ?? (assignee_id ? [assignee_id] : []);
  return mergeRequests.assignableUserIds(deps, project, userIds);
}

function requireAccepted(outcome: MergeRequest | mergeRequests.ChangeRefusal): MergeRequest {
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "gone") throw notFound();
  if (outcome === "not_open")
    throw conflict("The merge request is merged, is being merged, or has another target branch.");
  if (outcome === "same_branch")
    throw unprocessable(["You can't use same project/branch for source and target"]);
  if ("missing" in outcome) throw unacceptable({ [outcome.missing]: ["does not exist"] });
  if ("other" in outcome)
    throw conflicts(`Another open merge request already exists for this source branch: !${outcome.other}`);
  return outcome;
}

export const mergeRequestChange = mergeRequestReference.extend({
  ...commonFields,
  title: title.optional(),
  target_branch: branch.min(1).optional(),
  state_event: z.enum(["close", "reopen"]).optional(),
  add_labels: words.optional(),
  remove_labels: words.optional(),
});

/** Edits, closes or reopens a merge request. @throws ApiError 400, 403, 404, 409 or 422. */
export async function changeMergeRequest(
  deps: Deps,
  context: InProject,
  { iid, ...input }: z.infer<typeof mergeRequestChange>,
): Promise<DetailedMergeRequest> {
  const mergeRequest = await releaseStaleLock(deps, await requireMergeRequest(deps, context, { iid }));
  const labels = labelsFrom(mergeRequest, input);
  const assigneeIds = await assigneesIn(deps, context, input);
  const changes = defined({
    title: input.title,
    description: input.description === null ? "" : input.description,
    squash: input.squash,
    removesSource: input.remove_source_branch,
    targetBranch: input.target_branch,
    state: input.state_event,
    assigneeIds,
    reviewerIds:
      input.reviewer_ids === undefined
        ? undefined
        : await mergeRequests.assignableUserIds(deps, context.project, input.reviewer_ids),
    labels,
  });
  if (Object.keys(changes).length === 0)
    throw invalidParameters([
      "title, description, target_branch, state_event, assignee_ids, reviewer_ids, labels, squash, remove_source_branch are missing, at least one parameter must be provided",
    ]);
  const changed = requireAccepted(
    await mergeRequests.updateMergeRequest(deps, context, mergeRequest, changes),
  );
  return withDetails(deps, context, await mergeWhenReady(deps, changed));
}

/** Returns the fields whose values are not undefined. */
const defined = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };

type Labels = Readonly<
  Partial<Record<"labels" | "add_labels" | "remove_labels", readonly string[] | undefined>>
>;

function labelsFrom(mergeRequest: MergeRequest, { labels, add_labels, remove_labels }: Labels) {
  if (labels === undefined && add_labels === undefined && remove_labels === undefined) return undefined;
  const all = [...(labels ?? mergeRequest.labels), ...(add_labels ?? [])];
  return [...new Set(all)].filter((label) => !remove_labels?.includes(label));
}
