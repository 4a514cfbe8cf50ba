import { z } from "zod";
import type { Principal } from "@/access/principal";
import { type Commit, countBetween } from "@/code/repositories/commit";
import type { Diff, FileDiff } from "@/code/repositories/diff";
import {
  ApiError,
  conflict,
  conflicts,
  forbidden,
  invalidParameters,
  methodNotAllowed,
  notFound,
  unacceptable,
  unprocessable,
} from "@/http-api/errors";
import { flag, id, ids, instant, text, whole, words } from "@/http-api/fields";
import type { Deps } from "@/kernel/deps/deps";
import { COUNTED_MAX, EMPTY_PAGE, type Page, type Paging, windowOf } from "@/kernel/paging/paging";
import {
  cancelAutoMerge,
  current,
  healed,
  mayMergeInto,
  merge,
  rebaseMergeRequest,
  settled,
} from "@/review/merge-requests/merging";
import { MERGE_REQUEST_STATES, type MergeRequest } from "@/review/merge-requests/rules";
import { DESCRIPTION_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from "@/review/merge-requests/schema";
import * as mergeRequests from "@/review/merge-requests/service";
import type { InProject, OpenGroup, OpenProject } from "@/workspace/api/places";
import type { OfProject } from "@/workspace/projects/rules";
import { type DetailedMergeRequest, unified, type VersionWithCode } from "./entities/merge-request";

const NOBODY_OR_ANYBODY = { none: "none", any: "any" } as const;

/** Somebody, or `None` or `Any`. */
const anybody = z
  .union([
    id,
    z
      .string()
      .regex(/^(?:none|any)$/i)
      .transform((word) => NOBODY_OR_ANYBODY[word.toLowerCase() as "none" | "any"]),
  ])
  .meta({ type: ["integer", "string"] });

const branch = text(255);

/** Several users, or `None` or `Any`. */
const users = z
  .union([
    z
      .string()
      .regex(/^(?:none|any)$/i)
      .transform((word) => NOBODY_OR_ANYBODY[word.toLowerCase() as "none" | "any"]),
    ids,
  ])
  .meta({ type: "array", items: { type: "integer" } });
const usernames = z
  .union([z.array(text(255)).max(100), text(255).transform((username) => [username])])
  .meta({ type: "array", items: { type: "string" } });

/** Without these; a request that has any of them does not match. */
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

/** What narrows and orders a list of merge requests. */
export const mergeRequestSearch = z.object({
  state: z.enum([...MERGE_REQUEST_STATES, "all"]).default("all"),
  scope: z
    .enum(["all", "created_by_me", "assigned_to_me", "reviews_for_me", "created-by-me", "assigned-to-me"])
    .optional(),
  iids: ids.optional().describe("By their numbers in the project."),
  author_id: id.optional(),
  author_username: text(255).optional(),
  assignee_id: anybody.optional().describe("Somebody, None or Any."),
  assignee_username: text(255).optional(),
  reviewer_id: anybody.optional().describe("Somebody, None or Any."),
  reviewer_username: text(255).optional(),
  merge_user_id: id.optional().describe("Who has merged it."),
  merge_user_username: text(255).optional().describe("Who has merged it."),
  source_branch: branch.optional(),
  target_branch: branch.optional(),
  search: text(255).optional().describe("What title or description has in it."),
  in: text(255).optional().describe("With search: title or description, to look at nothing else."),
  labels: words.optional().describe("With all of these, or None or Any."),
  approved_by_ids: users
    .optional()
    .describe("Merge requests that each of these users has approved, or None or Any."),
  approved_by_usernames: words.optional().describe("The same by their usernames, or None or Any."),
  milestone: text(255)
    .optional()
    .describe("No merge request has a milestone: None finds every merge request, any other value none."),
  not: exclusions
    .optional()
    .describe(
      "Merge requests that do not match: not[author_id], not[author_username], not[assignee_id], not[assignee_username], not[reviewer_id], not[reviewer_username], not[labels], not[milestone].",
    ),
  non_archived: flag.optional().describe("Of no effect: no project is archived."),
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

function searchFrom(input: Search, caller: Principal | null): mergeRequests.MergeRequestSearch {
  const { state, labels = [], scope = "all" } = input;
  const me = caller?.user.id ?? 0;
  return {
    state: state === "all" ? undefined : state,
    iids: input.iids,
    authorId: scope.startsWith("created") ? me : input.author_id,
    authorUsername: input.author_username,
    assigneeId: scope.startsWith("assigned") ? me : input.assignee_id,
    assigneeUsername: input.assignee_username,
    reviewerId: scope === "reviews_for_me" ? me : input.reviewer_id,
    reviewerUsername: input.reviewer_username,
    mergeUserId: input.merge_user_id,
    mergeUserUsername: input.merge_user_username,
    sourceBranch: input.source_branch,
    targetBranch: input.target_branch,
    search: input.search,
    searchIn: input.in === "title" || input.in === "description" ? input.in : undefined,
    labels: wordOr(labels),
    approvedByIds: input.approved_by_ids,
    approvedByUsernames: input.approved_by_usernames && wordOr(input.approved_by_usernames),
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

/** `None` and `Any` instead of names. */
function wordOr(names: readonly string[]): readonly string[] | "none" | "any" {
  const [name = ""] = names;
  const isWord = names.length === 1 && /^(?:none|any)$/i.test(name);
  return isWord ? NOBODY_OR_ANYBODY[name.toLowerCase() as "none" | "any"] : names;
}

/** Whether a filter asks for a milestone, which no merge request has. */
const matchesNoMergeRequest = ({ milestone = "", not }: Search): boolean =>
  (milestone !== "" && !/^none$/i.test(milestone)) || /^none$/i.test(not?.milestone ?? "");

/** The merge requests of a project, as they were last seen. */
export const listMergeRequests = async (
  deps: Deps,
  { project, caller }: OpenProject,
  input: Search,
  paging: Paging,
): Promise<Page<mergeRequests.Judged>> => {
  if (matchesNoMergeRequest(input)) return EMPTY_PAGE;
  const search = { ...searchFrom(input, caller), projectId: project.id };
  return mergeRequests.listMergeRequests(deps, caller?.user ?? null, search, paging);
};

/** Those of all projects of a group, and of the groups below it, whose code the caller may read. */
export const listGroupMergeRequests = async (
  deps: Deps,
  { group, caller }: OpenGroup,
  input: Search,
  paging: Paging,
): Promise<Page<mergeRequests.Judged>> => {
  if (matchesNoMergeRequest(input)) return EMPTY_PAGE;
  const search = { ...searchFrom(input, caller), group };
  return mergeRequests.listMergeRequests(deps, caller?.user ?? null, search, paging);
};

/** Those of all projects whose code the caller may read: the caller's own, unless they ask otherwise. */
export const listAllMergeRequests = async (
  deps: Deps,
  caller: Principal,
  input: Search,
  paging: Paging,
): Promise<Page<mergeRequests.Judged>> => {
  if (matchesNoMergeRequest(input)) return EMPTY_PAGE;
  const search = searchFrom({ ...input, scope: input.scope ?? "created_by_me" }, caller);
  return mergeRequests.listMergeRequests(deps, caller.user, search, paging);
};

export const mergeRequestReference = z.object({ iid: id.describe("Its number in the project.") });
type Reference = z.infer<typeof mergeRequestReference>;

/** @throws ApiError 404 where the project has no such merge request. */
export async function found(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
  { iid }: Reference,
): Promise<MergeRequest> {
  const one = await mergeRequests.findMergeRequest(deps, project, iid);
  if (one === null) throw notFound("Merge Request");
  return one;
}

export async function detailed(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
  one: MergeRequest,
): Promise<DetailedMergeRequest> {
  const canMerge = await mayMergeInto(deps, project, one.targetBranch);
  return { ...(await mergeRequests.judge(deps, one)), canMerge };
}

export const mergeRequestAsk = mergeRequestReference.extend({
  include_diverged_commits_count: flag.default(false),
  include_rebase_in_progress: flag.default(false),
});

/** A merge request as it is now: Git has just been asked. */
export async function readMergeRequest(
  deps: Deps,
  who: OpenProject,
  { iid, ...ask }: z.infer<typeof mergeRequestAsk>,
): Promise<DetailedMergeRequest> {
  const one = await detailed(deps, who, await current(deps, await found(deps, who, { iid })));
  const diverged =
    ask.include_diverged_commits_count && one.checkedSha !== null
      ? { diverged: await countBetween(deps, who.project, { from: one.headSha, to: one.checkedSha }) }
      : {};
  return { ...one, ...diverged, tellsOfRebase: ask.include_rebase_in_progress };
}

/** Nought, as an empty text, is nobody. */
const somebody = z.union([whole, z.literal("").transform(() => 0)]);

const told = {
  description: z.string().max(DESCRIPTION_CHARACTERS_MAX).nullish(),
  assignee_id: somebody.nullish().meta({ type: ["integer", "null"] }),
  assignee_ids: ids.optional(),
  reviewer_ids: ids.optional(),
  labels: words.optional(),
  remove_source_branch: flag.optional().describe("Whether merging it removes the source branch."),
  squash: flag.optional().describe("Whether merging it makes one commit of all."),
};

const title = text(TITLE_CHARACTERS_MAX).min(1);

export const newMergeRequest = z.object({
  ...told,
  title,
  source_branch: branch.min(1),
  target_branch: branch.min(1),
  target_project_id: id.optional(),
});

/** @throws ApiError 400, 403, 409 or 422, by what is wrong. */
export async function createMergeRequest(
  deps: Deps,
  who: InProject,
  input: z.infer<typeof newMergeRequest>,
): Promise<DetailedMergeRequest> {
  if (input.target_project_id !== undefined && input.target_project_id !== who.project.id)
    throw unacceptable({ target_project_id: ["must be the project of the source branch"] });
  const made = await mergeRequests.createMergeRequest(deps, who, {
    sourceBranch: input.source_branch,
    targetBranch: input.target_branch,
    title: input.title,
    description: input.description ?? "",
    squash: input.squash ?? false,
    removesSource: input.remove_source_branch ?? false,
    assigneeIds: (await assigneesIn(deps, who, input)) ?? [],
    reviewerIds: await mergeRequests.peopleFor(deps, who.project, input.reviewer_ids ?? []),
    labels: input.labels ?? [],
  });
  return detailed(deps, who, judged(made));
}

type Told = Readonly<{ assignee_id?: number | null | undefined; assignee_ids?: number[] | undefined }>;

/** Undefined where nothing is said of them. Whom it cannot be given to is left out, as in the dialect. */
async function assigneesIn(deps: Deps, { project }: InProject, { assignee_id, assignee_ids }: Told) {
  if (assignee_ids === undefined && assignee_id === undefined) return undefined;
  const asked = assignee_ids ?? (assignee_id ? [assignee_id] : []);
  return mergeRequests.peopleFor(deps, project, asked);
}

function judged(outcome: MergeRequest | mergeRequests.ChangeRefusal): MergeRequest {
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_open") throw conflict("The merge request is merged, or is being merged.");
  if (outcome === "same_branch")
    throw unprocessable(["You can't use same project/branch for source and target"]);
  if ("missing" in outcome) throw unacceptable({ [outcome.missing]: ["does not exist"] });
  if ("other" in outcome)
    throw conflicts(`Another open merge request already exists for this source branch: !${outcome.other}`);
  return outcome;
}

export const mergeRequestChange = mergeRequestReference.extend({
  ...told,
  title: title.optional(),
  target_branch: branch.min(1).optional(),
  state_event: z.enum(["close", "reopen"]).optional(),
  add_labels: words.optional(),
  remove_labels: words.optional(),
});

/** @throws ApiError 400, 403, 404, 409 or 422, by what is wrong. */
export async function changeMergeRequest(
  deps: Deps,
  who: InProject,
  { iid, ...input }: z.infer<typeof mergeRequestChange>,
): Promise<DetailedMergeRequest> {
  const one = await healed(deps, await found(deps, who, { iid }));
  const labels = labelsFrom(one, input);
  const assigneeIds = await assigneesIn(deps, who, input);
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
        : await mergeRequests.peopleFor(deps, who.project, input.reviewer_ids),
    labels,
  });
  if (Object.keys(changes).length === 0)
    throw invalidParameters([
      "title, description, target_branch, state_event, assignee_ids, reviewer_ids, labels, squash, remove_source_branch are missing, at least one parameter must be provided",
    ]);
  const changed = judged(await mergeRequests.updateMergeRequest(deps, who, one, changes));
  return detailed(deps, who, await settled(deps, changed));
}

/** What is said, without what is not. */
const defined = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };

type Labels = Readonly<
  Partial<Record<"labels" | "add_labels" | "remove_labels", readonly string[] | undefined>>
>;

function labelsFrom(one: MergeRequest, { labels, add_labels, remove_labels }: Labels) {
  if (labels === undefined && add_labels === undefined && remove_labels === undefined) return undefined;
  const all = [...(labels ?? one.labels), ...(add_labels ?? [])];
  return [...new Set(all)].filter((label) => !remove_labels?.includes(label));
}

export const mergeAsk = mergeRequestReference.extend({
  sha: text(64).optional().describe("The head that you have seen; at another one nothing is merged."),
  squash: flag.optional(),
  should_remove_source_branch: flag.optional(),
  merge_commit_message: z.string().max(50_000).optional(),
  squash_commit_message: z.string().max(50_000).optional(),
  auto_merge: flag.optional().describe("Merges it as soon as it can be, where it cannot be yet."),
  merge_when_pipeline_succeeds: flag.optional().describe("The same, by its older name."),
});

/** @throws ApiError 403, 404, 405 where it cannot be merged, 409 for another head, 422 for conflicts. */
export async function mergeNow(
  deps: Deps,
  who: InProject,
  { iid, ...input }: z.infer<typeof mergeAsk>,
): Promise<DetailedMergeRequest> {
  const outcome = await merge(deps, who, await found(deps, who, { iid }), {
    sha: input.sha || undefined,
    squash: input.squash,
    removesSource: input.should_remove_source_branch,
    mergeMessage: input.merge_commit_message || undefined,
    squashMessage: input.squash_commit_message || undefined,
    whenReady: input.auto_merge ?? input.merge_when_pipeline_succeeds,
  });
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_mergeable") throw methodNotAllowed();
  if (outcome === "conflict") throw unprocessable("Branch cannot be merged");
  if ("head" in outcome) throw conflict(`SHA does not match HEAD of source branch: ${outcome.head}`);
  return detailed(deps, who, outcome);
}

/** @throws ApiError 403, 404, or 406 where it was not to be merged by itself. */
export async function stopAutoMerge(
  deps: Deps,
  who: InProject,
  reference: Reference,
): Promise<DetailedMergeRequest> {
  const outcome = await cancelAutoMerge(deps, who, await found(deps, who, reference));
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_set") throw new ApiError(406, { message: "406 Not Acceptable" });
  return detailed(deps, who, outcome);
}

/**
 * Puts the source branch on top of the target branch. Where that comes to nothing, the answer says why.
 * @throws ApiError 403, 404, 405 where it is not open, 409 where somebody has pushed meanwhile.
 */
export async function rebaseNow(
  deps: Deps,
  who: InProject,
  reference: Reference,
): Promise<Readonly<{ mergeError: string | null }>> {
  const outcome = await rebaseMergeRequest(deps, who, await found(deps, who, reference));
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "not_open") throw methodNotAllowed();
  if (outcome === "moved") throw conflict("The source branch has been pushed to. Try again.");
  return typeof outcome === "string" ? found(deps, who, reference) : { mergeError: null };
}

export const diffAsk = mergeRequestReference.extend({
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

/** What a merge request changes, file by file. */
export async function listDiffs(
  deps: Deps,
  who: OpenProject,
  { iid, unidiff }: z.infer<typeof diffAsk>,
  paging: Paging,
): Promise<Page<FileDiff>> {
  const one = await current(deps, await found(deps, who, { iid }));
  const { files, total } = await mergeRequests.diffPartOf(deps, one, partIn(paging));
  return { rows: unidiff ? files.map(unified) : files, total, next: null };
}

/** Which rows a page by number has. */
const partIn = (paging: Paging) => {
  const { skip, take } = windowOf(paging);
  return { skip, most: take };
};

/** A merge request with all that it changes. */
export async function readChanges(deps: Deps, who: OpenProject, { iid, unidiff }: z.infer<typeof diffAsk>) {
  const one = await detailed(deps, who, await current(deps, await found(deps, who, { iid })));
  return { one, diff: await diffFor(deps, one, unidiff) };
}

/** The commits of a merge request, the newest first. */
export async function listCommits(
  deps: Deps,
  who: OpenProject,
  reference: Reference,
  paging: Paging,
): Promise<Page<OfProject<Commit>>> {
  const one = await current(deps, await found(deps, who, reference));
  const [commits, total] = await Promise.all([
    mergeRequests.commitsOf(deps, one, partIn(paging)),
    mergeRequests.countCommits(deps, one),
  ]);
  const rows = commits.map((thing) => ({ project: who.project, thing }));
  return { rows, total: total > COUNTED_MAX ? null : total, next: null };
}

/** What a merge request was each time that its source branch changed, the newest first. */
export async function listVersions(
  deps: Deps,
  who: OpenProject,
  reference: Reference,
  paging: Paging,
): Promise<Page<mergeRequests.StoredVersion>> {
  const one = await current(deps, await found(deps, who, reference));
  return mergeRequests.versionsOf(deps, one, paging);
}

export const versionAsk = diffAsk.extend({ version_id: id });

/** More commits than anybody reads: of a version with more, the newest are told. */
const VERSION_COMMITS_MAX = 1_000;

/**
 * One of them with its commits, the newest first, and with all that it changes.
 * @throws ApiError 404 where the merge request has no such version.
 */
export async function readVersion(
  deps: Deps,
  who: OpenProject,
  { iid, version_id, unidiff }: z.infer<typeof versionAsk>,
): Promise<VersionWithCode> {
  const one = await found(deps, who, { iid });
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
