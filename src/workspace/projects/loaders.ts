import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Role, reaches } from "@/access/roles";
import { currentSession, requireSession, sessionIfAny } from "@/identity/sessions/loaders";
import type { Session } from "@/identity/sessions/service";
import * as users from "@/identity/users/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { GROUPS, openGroup } from "../groups/loaders";
import type { Group } from "../groups/rules";
import { findGroup, listGroups, listSubgroups } from "../groups/service";
import { rolesIn } from "../members/service";
import { pageByFullPath } from "./full-path";
import type { AuthorizedProject, Project } from "./rules";
import { findProject, listProjects, resourceOf } from "./service";
import { groupsForTransfers } from "./transfer";

export const PROJECTS = "/projects";

/** Returns the URL path of the merge request settings. @param home the URL path of the project. */
export const mergeRequestSettingsPath = (home: string): string => `${home}/settings/merge_requests`;

const PROJECTS_SHOWN = 20;
const SEARCH_CHARACTERS_MAX = 100;

/** The scope of a list of projects: the projects of which the user is a member, or all visible projects. */
export type ProjectsScope = "yours" | "all";

export type ProjectRow = Project & Readonly<{ role: Role | null }>;

/** Loads a page of the projects that the viewer can see, sorted by their last activity. */
export async function loadProjects(query: Query) {
  const user = (await sessionIfAny(PROJECTS))?.user ?? null;
  const deps = systemDeps();
  const scope: ProjectsScope = user === null || textOf(query, "scope") === "all" ? "all" : "yours";
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const paging = offsetPagingIn(query, PROJECTS_SHOWN);
  const result = await listProjects(
    deps,
    user,
    { search, memberOnly: scope === "yours", order: "last_activity_at", descending: true },
    paging,
  );
  const parameters = { scope: scope === "all" && user !== null ? "all" : "", search };
  const pager = offsetLinks(paging, result, PROJECTS, parameters);
  return { projects: await withRoles(result.rows, user), scope, search, pager, user, now: deps.clock() };
}

/** Returns the projects of the signed-in user with the latest activity, at most `most`. */
export async function loadActiveProjects(most: number) {
  const { user } = await requireSession(PROJECTS);
  const deps = systemDeps();
  const { rows } = await listProjects(
    deps,
    user,
    { memberOnly: true, order: "last_activity_at", descending: true },
    // A list that ends on the requested page is not counted.
    { kind: "offset", page: 1, perPage: PROJECTS_SHOWN },
  );
  return { projects: rows.slice(0, most), now: deps.clock() };
}

const SUBGROUPS_SHOWN = 100;

/** Loads the page of a group, with the direct subgroups and the projects that the viewer can see. */
export async function loadGroup(id: string, query: Query) {
  const { group, session } = await openGroup(id, (home) => home);
  const deps = systemDeps();
  const user = session?.user ?? null;
  const paging = offsetPagingIn(query, PROJECTS_SHOWN);
  const [subgroups, projects] = await Promise.all([
    listSubgroups(deps, user, group, {}, { kind: "offset", page: 1, perPage: SUBGROUPS_SHOWN }),
    listProjects(
      deps,
      user,
      { group: { of: group, includesDescendants: false }, order: "last_activity_at", descending: true },
      paging,
    ),
  ]);
  return {
    group,
    subgroups: subgroups.rows,
    projects: await withRoles(projects.rows, user),
    pager: offsetLinks(paging, projects, `${GROUPS}/${group.id}`),
    now: deps.clock(),
  };
}

/**
 * Loads the profile page of a user, with a page of the list of projects in the user's namespace. The viewer
 * must be signed in.
 */
export async function loadProjectsOfUser(id: string, query: Query) {
  const url = `/users/${encodeURIComponent(id)}`;
  const { user } = await requireSession(url);
  const deps = systemDeps();
  const userId = readId(id);
  const owner = userId === null ? null : await users.findById(deps, userId);
  if (owner === null) notFound();
  const paging = offsetPagingIn(query, PROJECTS_SHOWN);
  const result = await listProjects(
    deps,
    user,
    { ownerId: owner.id, order: "last_activity_at", descending: true },
    paging,
  );
  return {
    owner,
    projects: await withRoles(result.rows, user),
    pager: offsetLinks(paging, result, url),
    now: deps.clock(),
  };
}

/** Adds the role of the user to each project. */
export async function withRoles(
  projects: readonly Project[],
  user: Session["user"] | null,
): Promise<readonly ProjectRow[]> {
  const roles = await rolesIn(systemDeps(), projects.map(resourceOf), user);
  return projects.map((project) => ({ ...project, role: roles.get(project.id) ?? null }));
}

/** A project and the session of the viewer. The session is null for a viewer who is not signed in. */
export type VisibleProject = Readonly<{ project: AuthorizedProject; session: Session | null }>;

/**
 * Returns the project of a page, or null if the viewer cannot see the project. The result is cached for the
 * duration of the request.
 */
export const visibleProject = cache(async (id: string): Promise<VisibleProject | null> => {
  const session = await currentSession();
  const project = readId(id) === null ? null : await findProject(systemDeps(), id, session?.user ?? null);
  return project && { project, session };
});

/**
 * Returns the project of a page. A viewer who is not signed in is redirected to the sign-in page, with `path` as the
 * return URL. The page "not found" is the same for hidden and for unknown projects.
 * @param least the minimum role; null if every viewer who can see the project may open the page.
 */
export async function openProject(
  id: string,
  path: (project: string) => string,
  least: Role | null = null,
): Promise<VisibleProject> {
  const url = path(`${PROJECTS}/${encodeURIComponent(id)}`);
  await sessionIfAny(url);
  const visible = await visibleProject(id);
  if (visible !== null && (least === null || reaches(visible.project.role, least))) return visible;
  await requireSession(url);
  return notFound();
}

/** Returns the project of a page as `openProject` does. The viewer must be signed in. */
export async function requireProject(
  id: string,
  path: (project: string) => string,
  least: Role | null = null,
): Promise<VisibleProject & Readonly<{ session: Session }>> {
  const { project } = await openProject(id, path, least);
  const session = await requireSession(path(`${PROJECTS}/${encodeURIComponent(id)}`));
  return { project, session };
}

const GROUPS_OFFERED = 100;

/** Loads the form for a new project, with the namespaces in which the user may create projects. */
export async function loadNewProject(query: Query) {
  const { user } = await requireSession(`${PROJECTS}/new`);
  const deps = systemDeps();
  const reference = textOf(query, "group");
  const [listed, chosen] = await Promise.all([
    listGroups(
      deps,
      user,
      { memberOnly: true, minLevel: 30 },
      { kind: "offset", page: 1, perPage: GROUPS_OFFERED },
    ),
    readId(reference) === null ? null : findGroup(deps, reference, user),
  ]);
  const group = chosen !== null && reaches(chosen.role, "developer") ? chosen : null;
  return { username: user.username, group: group?.id ?? null, groups: offered(listed.rows, group) };
}

/** Loads the settings of a project. Only owners can transfer the project. */
export async function loadProjectSettings(id: string) {
  const { project, session } = await requireProject(id, (home) => `${home}/settings`, "maintainer");
  if (!reaches(project.role, "owner")) return { project, targets: null };
  const { user } = session;
  const { namespace } = project;
  const own = { reference: user.username, label: `${user.username} (you)` };
  const groups = (await groupsForTransfers(systemDeps(), user))
    .filter((group) => namespace.kind === "user" || namespace.group.id !== group.id)
    .map(({ fullPath }) => ({ reference: fullPath, label: fullPath }));
  const isOwn = namespace.kind === "user" && namespace.id === user.id;
  return { project, targets: isOwn ? groups : [own, ...groups] };
}

const offered = (listed: readonly Group[], chosen: Group | null): readonly Group[] =>
  [...listed.filter(({ id }) => id !== chosen?.id), ...(chosen === null ? [] : [chosen])].toSorted((a, b) =>
    a.fullPath.localeCompare(b.fullPath),
  );

/** Loads the overview page of a project. */
export async function loadOverview(id: string) {
  const { project } = await openProject(id, (home) => home);
  return { project, now: systemDeps().clock() };
}

/**
 * Redirects a URL with a full path to the page of the project, group or user. For an unknown path, the page
 * "not found" is shown. A GitLab URL of a page of a project (`/group/project/-/merge_requests/1`) is
 * redirected to the URL with the project id in place of the full path (`/projects/7/-/merge_requests/1`). If
 * the project is hidden or unknown, a viewer who is not signed in has to sign in first, as on the pages of a
 * project.
 */
export async function followFullPath(segments: readonly string[], query: Query): Promise<never> {
  const session = await currentSession();
  const separator = segments.indexOf("-");
  const names = separator === -1 ? segments : segments.slice(0, separator);
  if (names.length === 0) notFound();
  const rest = segments.slice(names.length).map((segment) => `/${segment}`);
  const page = await pageByFullPath(systemDeps(), names, session?.user ?? null);
  if (rest.length === 0) return page === null ? notFound() : redirect(page);
  const more = rest.join("") + searchOf(query);
  if (page?.startsWith(`${PROJECTS}/`) || page?.startsWith("/groups/")) redirect(page + more);
  await requireSession(`/${names.join("/")}${more}`);
  return notFound();
}

/**
 * Returns the query parameters of a page as a string, so that a redirect can keep the parameters unchanged.
 */
function searchOf(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => [name, text]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
