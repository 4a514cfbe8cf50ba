import { z } from "zod";
import { mayFetch } from "@/access/code";
import type { Principal } from "@/access/principal";
import { ROLES } from "@/access/roles";
import { VISIBILITIES } from "@/access/visibility";
import { forbidden, forbiddenBecause, invalidParameters, notFound, unacceptable } from "@/http-api/errors";
import { accessLevel, flag, id, instant, text, whole, words } from "@/http-api/fields";
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
import type { DetailedProject } from "./entities/project";
import type { InProject, OpenGroup, OpenProject } from "./places";

/** What narrows a list of projects. */
export const projectSearch = z.object({
  search: text(255).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  membership: flag.optional(),
  owned: flag.optional(),
  min_access_level: accessLevel.optional(),
  id_after: whole.optional().describe("Only projects with a greater id."),
  id_before: whole.optional().describe("Only projects with a smaller id."),
  last_activity_after: instant.optional(),
  last_activity_before: instant.optional(),
  updated_after: instant.optional().describe("The same as last_activity_after."),
  updated_before: instant.optional().describe("The same as last_activity_before."),
  archived: flag.optional().describe("With true: archived projects, of which there are none."),
  active: flag.optional().describe("With false: archived projects, of which there are none."),
  imported: flag.optional().describe("With true: imported projects, of which there are none."),
  starred: flag
    .optional()
    .describe("With true: projects with a star of the caller, of which there are none."),
  topic: words.optional().describe("Projects with all of these topics; no project has topics."),
  topic_id: id.optional().describe("Projects with this topic; no project has topics."),
  with_issues_enabled: flag.optional().describe("With true: projects with issues, of which there are none."),
  with_merge_requests_enabled: flag.optional().describe("Of no effect: every project has merge requests."),
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

const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;
const earliest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

/** Whether a filter asks for a property that no project has. */
const matchesNoProject = (input: Search): boolean =>
  input.archived === true ||
  input.active === false ||
  input.imported === true ||
  input.starred === true ||
  input.with_issues_enabled === true ||
  input.topic_id !== undefined ||
  (input.topic ?? []).length > 0;

/** The projects that the caller sees; without a token, those that everybody sees. */
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
  with_shared: flag.optional().describe("Of no effect: no project is shared with a group."),
});

/** The projects of a group that the caller sees. */
export const listGroupProjects = async (
  deps: Deps,
  { group, caller }: OpenGroup,
  { include_subgroups, ...input }: z.infer<typeof groupProjectSearch>,
  paging: Paging,
): Promise<Page<Project>> => {
  if (matchesNoProject(input)) return EMPTY_PAGE;
  const narrowed = { ...searchFrom(input), group: { of: group, below: include_subgroups } };
  return projects.listProjects(deps, caller?.user ?? null, narrowed, paging);
};

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
    initialize_with_readme: flag.default(false).describe("Begins the repository with a README.md."),
  })
  .refine(({ name, path }) => name !== undefined || path !== undefined, {
    message: "name, path are missing, at least one parameter must be provided",
  });

/** A project with its default branch, for callers who may read its code. */
export async function readProject(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
): Promise<DetailedProject> {
  const readsCode = mayFetch(project.visibility, project.role);
  return { ...project, defaultBranch: readsCode ? await readDefaultBranch(deps, project) : null };
}

/**
 * Makes a project in a group, or without one below the caller's own name.
 * @throws ApiError 400 for what is not acceptable, 404 for an unknown group, 403 where the caller may not.
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
  const asked = { ...draft, description: description ?? undefined, readme };
  const project = made(await projects.createProject(deps, user, asked, group));
  return readme ? readProject(deps, { project }) : { ...project, defaultBranch: null };
}

export const projectChanges = z.object({
  ...names,
  merge_method: z
    .enum(MERGE_METHODS)
    .optional()
    .describe("How its merge requests are merged; all but merge want the source on top of the target."),
});

/** @throws ApiError 400 when nothing that can be changed was sent, or it is not acceptable. */
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
  return readProject(deps, { project: made(await projects.updateProject(deps, project, changes, user)) });
}

function made(outcome: projects.ProjectOutcome): AuthorizedProject {
  if (outcome === "not_allowed") throw forbidden();
  if ("problems" in outcome) throw unacceptable(outcome.problems);
  return outcome.project;
}

/** @throws ApiError 403 where the caller may not, 404 where another caller was faster. */
export async function deleteProject(deps: Deps, { project, user }: InProject): Promise<null> {
  const outcome = await projects.deleteProject(deps, project, user);
  if (outcome === "not_allowed") throw forbiddenBecause("Only an owner may remove a project.");
  if (outcome === "gone") throw notFound("Project");
  return null;
}
