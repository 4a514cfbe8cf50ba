import { z } from "zod";
import { mayFetch } from "@/access/code";
import type { Principal } from "@/access/principal";
import { ROLES } from "@/access/roles";
import { VISIBILITIES } from "@/access/visibility";
import {
  ApiError,
  forbidden,
  forbiddenBecause,
  invalidParameters,
  notFound,
  unacceptable,
} from "@/http-api/errors";
import { accessLevel, flag, id, idOrZero, instant, text, words } from "@/http-api/fields";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import { EMPTY_PAGE, type Page, type Paging } from "@/kernel/paging/paging";
import { findGroup } from "@/workspace/groups/service";
import { readDefaultBranch } from "@/workspace/projects/default-branch";
import {
  type AuthorizedProject,
  MERGE_METHODS,
  type Project,
  userIdOfNamespace,
} from "@/workspace/projects/rules";
import * as projects from "@/workspace/projects/service";
import {
  findTransferTarget,
  transferProject as transfer,
  transferProblemText,
} from "@/workspace/projects/transfer";
import type { InProject, OpenGroup, OpenProject } from "./access-rules";
import type { DetailedProject } from "./entities/project";

/** The parameters that filter and sort a list of projects. */
export const projectSearch = z.object({
  search: text(255).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  membership: flag.optional(),
  owned: flag.optional(),
  min_access_level: accessLevel.optional(),
  id_after: idOrZero.optional().describe("Only projects with an id greater than this value."),
  id_before: idOrZero.optional().describe("Only projects with an id less than this value."),
  last_activity_after: instant.optional(),
  last_activity_before: instant.optional(),
  updated_after: instant.optional().describe("An alias of last_activity_after."),
  updated_before: instant.optional().describe("An alias of last_activity_before."),
  archived: flag
    .optional()
    .describe("Gatehouse does not archive projects, so the value true matches no project."),
  active: flag
    .optional()
    .describe("Gatehouse does not archive projects, so the value false matches no project."),
  imported: flag
    .optional()
    .describe("Gatehouse does not import projects, so the value true matches no project."),
  starred: flag.optional().describe("Gatehouse has no stars, so the value true matches no project."),
  topic: words.optional().describe("Gatehouse has no topics, so no project matches."),
  topic_id: id.optional().describe("Gatehouse has no topics, so no project matches."),
  with_issues_enabled: flag
    .optional()
    .describe("Gatehouse has no issues, so the value true matches no project."),
  with_merge_requests_enabled: flag.optional().describe("Has no effect: every project has merge requests."),
  order_by: z
    .enum(["id", "name", "path", "created_at", "updated_at", "last_activity_at"])
    .default("created_at"),
  sort: z.enum(["asc", "desc"]).default("desc"),
});

type Search = z.infer<typeof projectSearch>;

const searchFrom = ({ membership, owned, min_access_level, order_by, ...input }: Search) =>
  ({
    search: input.search ?? "",
    visibility: input.visibility,
    memberOnly: membership === true || owned === true || min_access_level !== undefined,
    minLevel: Math.max(min_access_level ?? 0, owned === true ? ROLES.owner.level : 0),
    idAfter: input.id_after,
    idBefore: input.id_before,
    lastActivityAfter: latest(input.last_activity_after, input.updated_after),
    lastActivityBefore: earliest(input.last_activity_before, input.updated_before),
    order: order_by === "updated_at" ? "last_activity_at" : order_by,
    descending: input.sort === "desc",
  }) as const;

const latest = (a: Date | undefined, b: Date | undefined): Date | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;
const earliest = (a: Date | undefined, b: Date | undefined): Date | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;

/** Returns whether a filter requires a property that no project of Gatehouse has. */
const matchesNoProject = (input: Search): boolean =>
  input.archived === true ||
  input.active === false ||
  input.imported === true ||
  input.starred === true ||
  input.with_issues_enabled === true ||
  input.topic_id !== undefined ||
  (input.topic ?? []).length > 0;

/** Returns a page of the projects that the caller can see. Callers without a token see public projects. */
export const listProjects = async (
  deps: Deps,
  caller: Principal | null,
  input: Search,
  paging: Paging,
): Promise<Page<Project>> =>
  matchesNoProject(input)
    ? EMPTY_PAGE
    : projects.listProjects(deps, caller?.user ?? null, searchFrom(input), paging);

export const groupProjectSearch = projectSearch.extend({
  include_subgroups: flag.default(false),
  with_shared: flag.optional().describe("Has no effect: Gatehouse does not share projects with groups."),
});

/** Returns a page of the projects of a group. Projects that the caller cannot see are omitted. */
export const listGroupProjects = async (
  deps: Deps,
  { group, caller }: OpenGroup,
  { include_subgroups, ...input }: z.infer<typeof groupProjectSearch>,
  paging: Paging,
): Promise<Page<Project>> => {
  if (matchesNoProject(input)) return EMPTY_PAGE;
  const narrowed = { ...searchFrom(input), group: { of: group, includesDescendants: include_subgroups } };
  return projects.listProjects(deps, caller?.user ?? null, narrowed, paging);
};

export const userProjectSearch = projectSearch.extend({
  id: text(255).describe("The id or the username of the user."),
});

/**
 * Returns a page of the projects in the namespace of a user. Projects that the caller cannot see are omitted.
 * @throws ApiError 404 for an unknown user.
 */
export async function listUserProjects(
  deps: Deps,
  { user }: Principal,
  { id: reference, ...input }: z.infer<typeof userProjectSearch>,
  paging: Paging,
): Promise<Page<Project>> {
  const owner = /^\d{1,9}$/.test(reference)
    ? await users.findById(deps, Number(reference))
    : reference.includes("@")
      ? null
      : await users.find(deps, reference);
  if (owner === null) throw notFound("User");
  if (matchesNoProject(input)) return EMPTY_PAGE;
  return projects.listProjects(deps, user, { ...searchFrom(input), ownerId: owner.id }, paging);
}

const names = {
  name: text(255).optional(),
  description: z.string().max(2_000).nullish(),
  visibility: z.enum(VISIBILITIES).optional(),
};

export const projectDraft = z
  .object({
    ...names,
    path: text(255).optional(),
    namespace_id: id.optional(),
    initialize_with_readme: flag
      .default(false)
      .describe("Whether to initialize the repository with README.md."),
  })
  .refine(({ name, path }) => name !== undefined || path !== undefined, {
    message: "name, path are missing, at least one parameter must be provided",
  });

/** Returns a project. The response contains the default branch if the caller may read the source code. */
export function readProject(deps: Deps, { project }: Pick<OpenProject, "project">): DetailedProject {
  const mayReadCode = mayFetch(project.visibility, project.role);
  return { ...project, defaultBranch: mayReadCode ? readDefaultBranch(deps, project) : null };
}

/**
 * Creates a project in a group. Without a group, the project is created in the caller's namespace.
 * @throws ApiError 400 if fields are invalid, 404 if the group is unknown, 403 if the caller may not create projects in
 * the group.
 */
export async function createProject(
  deps: Deps,
  { user }: Principal,
  { namespace_id, description, initialize_with_readme: readme, ...draft }: z.infer<typeof projectDraft>,
): Promise<DetailedProject> {
  const isOwn = userIdOfNamespace(String(namespace_id)) === user.id;
  const group =
    namespace_id === undefined || isOwn ? null : await findGroup(deps, String(namespace_id), user);
  if (namespace_id !== undefined && !isOwn && group === null) throw notFound("Namespace");
  const input = { ...draft, description: description ?? undefined, readme };
  const project = requireProject(await projects.createProject(deps, user, input, group), "Namespace");
  return readme ? readProject(deps, { project }) : { ...project, defaultBranch: null };
}

export const projectChanges = z.object({
  ...names,
  merge_method: z
    .enum(MERGE_METHODS)
    .optional()
    .describe(
      "The merge method. rebase_merge and ff require a source branch that is rebased onto the target branch.",
    ),
});

/**
 * Edits a project. @throws ApiError 400 if the request has no parameters, or if the value of a parameter is
 * invalid.
 */
export async function updateProject(
  deps: Deps,
  { project, user }: InProject,
  { name, description, visibility, merge_method }: z.infer<typeof projectChanges>,
): Promise<DetailedProject> {
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(merge_method === undefined ? {} : { mergeMethod: merge_method }),
  };
  if (Object.keys(changes).length === 0)
    throw invalidParameters([
      "name, description, visibility, merge_method are missing, at least one parameter must be provided",
    ]);
  return readProject(deps, {
    project: requireProject(await projects.updateProject(deps, project, changes, user), "Project"),
  });
}

/** @param deletedName the name of the resource that does not exist if another request has deleted the resource. */
function requireProject(outcome: projects.ProjectOutcome, deletedName: string): AuthorizedProject {
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "gone") throw notFound(deletedName);
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome.project;
}

export const projectTransfer = z.object({
  namespace: z
    .union([id.transform(String), text(1_000)])
    .meta({ type: ["integer", "string"] })
    .describe("The id or the full path of the group or user to which the project is transferred."),
});

/**
 * Transfers a project to another namespace.
 * @throws ApiError 400 with the reason of the refusal, 403 if the caller is not an owner of the project, 404
 * if the caller may not transfer projects to the namespace.
 */
export async function transferProject(
  deps: Deps,
  { project, user }: InProject,
  { namespace }: z.infer<typeof projectTransfer>,
): Promise<DetailedProject> {
  const target = await findTransferTarget(deps, user, namespace);
  if (target === null) throw notFound("Namespace");
  const outcome = await transfer(deps, project, target, user);
  if (outcome === "not_allowed") throw forbidden();
  if (outcome === "gone") throw notFound("Project");
  if (outcome === "target_gone") throw notFound("Namespace");
  if (typeof outcome === "string" || "problem" in outcome)
    throw new ApiError(400, {
      message: `Failed to transfer project. ${transferProblemText(outcome)}`,
    });
  return readProject(deps, { project: outcome });
}

/**
 * Deletes a project.
 * @throws ApiError 403 if the caller is not an owner, 404 if another request has deleted the project.
 */
export async function deleteProject(deps: Deps, { project, user }: InProject): Promise<null> {
  const outcome = await projects.deleteProject(deps, project, user);
  if (outcome === "not_allowed") throw forbiddenBecause("Only owners can delete a project.");
  if (outcome === "gone") throw notFound("Project");
  return null;
}
