import { z } from "zod";
import type { Principal } from "@/access/principal";
import { flag, id, ids, instant, text, words } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { EMPTY_PAGE, type Page, type Paging } from "@/kernel/paging/paging";
import * as service from "@/review/merge-request-search/service";
import { MERGE_REQUEST_STATES } from "@/review/merge-requests/rules";
import type { MergeRequestWithStatus } from "@/review/merge-requests/service";
import type { OpenGroup, OpenProject } from "@/workspace/api/access-rules";

const WORDS = { none: "none", any: "any" } as const;

/** The schema of a parameter whose value is a user id, `None` or `Any`. */
const userIdOrWord = z
  .union([
    id,
    z
      .string()
      .regex(/^(?:none|any)$/i)
      .transform((word) => WORDS[word.toLowerCase() as "none" | "any"]),
  ])
  .meta({ type: ["integer", "string"] });

const branch = text(255);

/** The schema of a parameter whose value is a list of user ids, `None` or `Any`. */
const userIdsOrWord = z
  .union([
    z
      .string()
      .regex(/^(?:none|any)$/i)
      .transform((word) => WORDS[word.toLowerCase() as "none" | "any"]),
    ids,
  ])
  .meta({ type: "array", items: { type: "integer" } });
const usernames = z
  .union([z.array(text(255)).max(100), text(255).transform((username) => [username])])
  .meta({ type: "array", items: { type: "string" } });

/**
 * The properties (`not[…]`) with which a request excludes merge requests from a list. A merge request is
 * excluded if at least one of these properties matches the merge request.
 */
const exclusions = z.strictObject({
  author_id: id.optional(),
  author_username: text(255).optional(),
  assignee_id: id.optional(),
  assignee_username: usernames.optional(),
  reviewer_id: id.optional(),
  reviewer_username: text(255).optional(),
  labels: words.optional(),
  milestone: text(255).optional(),
});

/** The parameters that filter and sort a list of merge requests. */
export const mergeRequestSearch = z.object({
  state: z.enum([...MERGE_REQUEST_STATES, "all"]).default("all"),
  scope: z
    .enum(["all", "created_by_me", "assigned_to_me", "reviews_for_me", "created-by-me", "assigned-to-me"])
    .optional(),
  iids: ids.optional().describe("The numbers (iid) of the merge requests to return."),
  author_id: id.optional(),
  author_username: text(255).optional(),
  assignee_id: userIdOrWord.optional().describe("A user id, None or Any."),
  assignee_username: text(255).optional(),
  reviewer_id: userIdOrWord.optional().describe("A user id, None or Any."),
  reviewer_username: text(255).optional(),
  merge_user_id: id.optional().describe("The user who merged the merge request."),
  merge_user_username: text(255).optional().describe("The user who merged the merge request."),
  source_branch: branch.optional(),
  target_branch: branch.optional(),
  search: text(255).optional().describe("Text to find in the title or the description."),
  in: text(255)
    .optional()
    .describe("The field to search: title or description. By default, both fields are searched."),
  labels: words
    .optional()
    .describe(
      "Returns merge requests with all of these labels. The value None returns merge requests without labels, and the value Any returns merge requests with labels.",
    ),
  approved_by_ids: userIdsOrWord
    .optional()
    .describe(
      "Returns merge requests that all of these users have approved. The value None returns merge requests without approvals, and the value Any returns merge requests with approvals.",
    ),
  approved_by_usernames: words
    .optional()
    .describe(
      "Returns merge requests that all users with these usernames have approved. The value None returns merge requests without approvals, and the value Any returns merge requests with approvals.",
    ),
  milestone: text(255)
    .optional()
    .describe(
      "Gatehouse has no milestones: the value None matches all merge requests, and any other value matches no merge request.",
    ),
  not: exclusions
    .optional()
    .describe(
      "Excludes merge requests that match: not[author_id], not[author_username], not[assignee_id], not[assignee_username], not[reviewer_id], not[reviewer_username], not[labels], not[milestone].",
    ),
  non_archived: flag.optional().describe("Has no effect: Gatehouse does not archive projects."),
  draft: flag.optional(),
  wip: z.enum(["yes", "no"]).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
  updated_after: instant.optional(),
  updated_before: instant.optional(),
  order_by: z.enum(["created_at", "updated_at", "merged_at", "title"]).default("created_at"),
  sort: z.enum(["asc", "desc"]).default("desc"),
});

type Search = z.infer<typeof mergeRequestSearch>;

function searchFrom(input: Search, caller: Principal | null): service.MergeRequestSearch {
  const { state, labels, scope = "all" } = input;
  const callerId = caller?.user.id ?? 0;
  return {
    state: state === "all" ? undefined : state,
    iids: input.iids,
    authorId: scope.startsWith("created") ? callerId : input.author_id,
    authorUsername: input.author_username,
    assigneeId: scope.startsWith("assigned") ? callerId : input.assignee_id,
    assigneeUsername: input.assignee_username,
    reviewerId: scope === "reviews_for_me" ? callerId : input.reviewer_id,
    reviewerUsername: input.reviewer_username,
    mergeUserId: input.merge_user_id,
    mergeUserUsername: input.merge_user_username,
    sourceBranch: input.source_branch,
    targetBranch: input.target_branch,
    search: input.search,
    searchIn: input.in === "title" || input.in === "description" ? input.in : undefined,
    labels: labels === undefined || labels.length === 0 ? undefined : namesOrWord(labels),
    approvedByIds: input.approved_by_ids,
    approvedByUsernames: input.approved_by_usernames && namesOrWord(input.approved_by_usernames),
    not: input.not && {
      authorId: input.not.author_id,
      authorUsername: input.not.author_username,
      assigneeId: input.not.assignee_id,
      assigneeUsernames: input.not.assignee_username,
      reviewerId: input.not.reviewer_id,
      reviewerUsername: input.not.reviewer_username,
      labels: input.not.labels,
    },
    draft: input.draft ?? (input.wip === undefined ? undefined : input.wip === "yes"),
    createdAfter: input.created_after,
    createdBefore: input.created_before,
    updatedAfter: input.updated_after,
    updatedBefore: input.updated_before,
    order: input.order_by,
    descending: input.sort === "desc",
  };
}

/**
 * Returns `none` or `any` if the list consists of the single value `None` or `Any`. For all other lists, the
 * function returns the list.
 */
function namesOrWord(names: readonly string[]): readonly string[] | "none" | "any" {
  const [name = ""] = names;
  const isWord = names.length === 1 && /^(?:none|any)$/i.test(name);
  return isWord ? WORDS[name.toLowerCase() as "none" | "any"] : names;
}

/**
 * Returns whether a filter matches no merge request because the filter requires a milestone. Gatehouse has no
 * milestones.
 */
const matchesNoMergeRequest = ({ milestone = "", not }: Search): boolean =>
  (milestone !== "" && !/^none$/i.test(milestone)) || /^none$/i.test(not?.milestone ?? "");

/**
 * Returns a page of the merge requests of a project. Each merge request has the merge status that was stored
 * last.
 */
export const listMergeRequests = async (
  deps: Deps,
  { project, caller }: OpenProject,
  input: Search,
  paging: Paging,
): Promise<Page<MergeRequestWithStatus>> => {
  if (matchesNoMergeRequest(input)) return EMPTY_PAGE;
  const filter = { ...searchFrom(input, caller), projectId: project.id };
  return service.listMergeRequests(deps, caller?.user ?? null, filter, paging);
};

/**
 * Returns a page of the merge requests in the projects of a group and its descendants. Only projects whose
 * source code the caller may read are included.
 */
export const listGroupMergeRequests = async (
  deps: Deps,
  { group, caller }: OpenGroup,
  input: Search,
  paging: Paging,
): Promise<Page<MergeRequestWithStatus>> => {
  if (matchesNoMergeRequest(input)) return EMPTY_PAGE;
  const filter = { ...searchFrom(input, caller), group };
  return service.listMergeRequests(deps, caller?.user ?? null, filter, paging);
};

/**
 * Returns a page of the merge requests in all projects whose source code the caller may read. By default,
 * only merge requests that the caller created are included.
 */
export const listAllMergeRequests = async (
  deps: Deps,
  caller: Principal,
  input: Search,
  paging: Paging,
): Promise<Page<MergeRequestWithStatus>> => {
  if (matchesNoMergeRequest(input)) return EMPTY_PAGE;
  const filter = searchFrom({ ...input, scope: input.scope ?? "created_by_me" }, caller);
  return service.listMergeRequests(deps, caller.user, filter, paging);
};
