import { z } from "zod";
import type { Principal } from "@/access/principal";
import { ROLES } from "@/access/roles";
import { VISIBILITIES } from "@/access/visibility";
import { findGroup } from "@/features/groups/service";
import { type AuthorizedProject, MERGE_METHODS, type Project } from "@/features/projects/rules";
import * as projects from "@/features/projects/service";
import { defaultBranch } from "@/features/repositories/reference";
import { mayFetch } from "@/features/repositories/rules";
import type { Deps } from "@/platform/deps";
import { GitBusy } from "@/platform/git/queue";
import type { Page, Paging } from "@/platform/paging";
import type { DetailedProject } from "./entities/project";
import { forbidden, forbiddenBecause, invalidParameters, notFound, unacceptable } from "./errors";
import { accessLevel, flag, id, text } from "./fields";
import type { InProject, OpenGroup, OpenProject } from "./project-endpoint";

/** What narrows a list of projects. */
export const projectSearch = z.object({
  search: text(255).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  membership: flag.optional(),
  owned: flag.optional(),
  min_access_level: accessLevel.optional(),
  order_by: z
    .enum(["id", "name", "path", "created_at", "updated_at", "last_activity_at"])
    .default("created_at"),
  sort: z.enum(["asc", "desc"]).default("desc"),
});

type Search = z.infer<typeof projectSearch>;

const searchFrom = ({ search, visibility, membership, owned, min_access_level, order_by, sort }: Search) =>
  ({
    search: search ?? "",
    visibility,
    memberOnly: membership === true || owned === true || min_access_level !== undefined,
    minLevel: Math.max(min_access_level ?? 0, owned === true ? ROLES.owner.level : 0),
    order: order_by === "updated_at" ? "last_activity_at" : order_by,
    descending: sort === "desc",
  }) as const;

/** The projects that the caller sees; without a token, those that everybody sees. */
export const listProjects = (
  deps: Deps,
  caller: Principal | null,
  input: Search,
  paging: Paging,
): Promise<Page<Project>> => projects.listProjects(deps, caller?.user ?? null, searchFrom(input), paging);

export const groupProjectSearch = projectSearch.extend({ include_subgroups: flag.default(false) });

/** The projects of a group that the caller sees. */
export const listGroupProjects = (
  deps: Deps,
  { group, caller }: OpenGroup,
  { include_subgroups, ...input }: z.infer<typeof groupProjectSearch>,
  paging: Paging,
): Promise<Page<Project>> => {
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

/**
 * A project with its default branch. A project is more than its repository: where that cannot be read, as without Git
 * on the machine, the rest is still told.
 * @throws GitBusy
 */
export async function readProject(
  deps: Deps,
  { project }: Pick<OpenProject, "project">,
): Promise<DetailedProject> {
  if (!mayFetch(project.visibility, project.role)) return { ...project, defaultBranch: null };
  try {
    return { ...project, defaultBranch: await defaultBranch(deps, project) };
  } catch (cause) {
    if (cause instanceof GitBusy) throw cause;
    deps.log.error({ event: "repository.not_read", project_id: project.id }, cause);
    return { ...project, defaultBranch: null };
  }
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
  const group = namespace_id === undefined ? null : await findGroup(deps, String(namespace_id), user);
  if (namespace_id !== undefined && group === null) throw notFound("Namespace");
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

export async function deleteProject(deps: Deps, { project, user }: InProject): Promise<null> {
  if (!(await projects.deleteProject(deps, project, user)))
    throw forbiddenBecause("Only an owner may remove a project.");
  return null;
}
