import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Role, reaches } from "@/access/roles";
import { currentSession, requireSession, sessionIfAny } from "@/identity/sessions/loaders";
import type { Session } from "@/identity/sessions/service";
import * as users from "@/identity/users/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf } from "@/kernel/paging/keyset";
import { pageIn, pagesBeside } from "@/kernel/paging/page-number";
import { GROUPS, openGroup } from "../groups/loaders";
import type { Group } from "../groups/rules";
import { findGroup, listGroups, listSubgroups } from "../groups/service";
import { rolesIn } from "../members/service";
import { pageByFullPath } from "./full-path";
import type { AuthorizedProject, Project } from "./rules";
import { findProject, listProjects, placeOf } from "./service";

export const PROJECTS = "/projects";

/** The address of how a project merges, below that of the project. */
export const mergeRequestSettingsPath = (home: string): string => `${home}/settings/merge_requests`;

const PROJECTS_SHOWN = 20;
const SEARCH_CHARACTERS_MAX = 100;

/** Which projects a list shows: where somebody is a member, or all that they may see. */
export type ProjectsScope = "yours" | "all";

export type ProjectRow = Project & Readonly<{ role: Role | null }>;

/** One page of the projects that somebody sees, those with the latest activity first. */
export async function loadProjects(query: Query) {
  const user = (await sessionIfAny(PROJECTS))?.user ?? null;
  const deps = systemDeps();
  const scope: ProjectsScope = user === null || textOf(query, "scope") === "all" ? "all" : "yours";
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const page = pageIn(query);
  const found = await listProjects(
    deps,
    user,
    { search, memberOnly: scope === "yours", order: "last_activity_at", descending: true },
    { kind: "offset", page, perPage: PROJECTS_SHOWN },
  );
  const kept = { scope: scope === "all" && user !== null ? "all" : "", search };
  const shown = found.rows.length;
  const pager = pagesBeside({ page, perPage: PROJECTS_SHOWN, shown, total: found.total }, PROJECTS, kept);
  return { projects: await withRoles(found.rows, user), scope, search, pager, user, now: deps.clock() };
}

const SUBGROUPS_SHOWN = 100;

/** A group with what lies right below it, as far as whoever looks may see that. */
export async function loadGroup(id: string, query: Query) {
  const { group, session } = await openGroup(id, (home) => home);
  const deps = systemDeps();
  const user = session?.user ?? null;
  const page = pageIn(query);
  const [subgroups, projects] = await Promise.all([
    listSubgroups(deps, user, group, {}, { kind: "offset", page: 1, perPage: SUBGROUPS_SHOWN }),
    listProjects(
      deps,
      user,
      { group: { of: group, below: false }, order: "last_activity_at", descending: true },
      { kind: "offset", page, perPage: PROJECTS_SHOWN },
    ),
  ]);
  const shown = projects.rows.length;
  const list = { page, perPage: PROJECTS_SHOWN, shown, total: projects.total };
  return {
    group,
    subgroups: subgroups.rows,
    projects: await withRoles(projects.rows, user),
    pager: pagesBeside(list, `${GROUPS}/${group.id}`, {}),
    now: deps.clock(),
  };
}

/** A person for whoever is signed in, and one page of the projects below their name. */
export async function loadProjectsOfUser(id: string, query: Query) {
  const address = `/users/${encodeURIComponent(id)}`;
  const { user } = await requireSession(address);
  const deps = systemDeps();
  const userId = readId(id);
  const owner = userId === null ? null : await users.findById(deps, userId);
  if (owner === null) notFound();
  const page = pageIn(query);
  const found = await listProjects(
    deps,
    user,
    { ownerId: owner.id, order: "last_activity_at", descending: true },
    { kind: "offset", page, perPage: PROJECTS_SHOWN },
  );
  const list = { page, perPage: PROJECTS_SHOWN, shown: found.rows.length, total: found.total };
  return {
    owner,
    projects: await withRoles(found.rows, user),
    pager: pagesBeside(list, address, {}),
    now: deps.clock(),
  };
}

/** The projects with what this person is in each. */
export async function withRoles(
  projects: readonly Project[],
  user: Session["user"] | null,
): Promise<readonly ProjectRow[]> {
  const roles = await rolesIn(systemDeps(), projects.map(placeOf), user);
  return projects.map((project) => ({ ...project, role: roles.get(project.id) ?? null }));
}

/** A project, and who looks; null: signed out. */
export type VisibleProject = Readonly<{ project: AuthorizedProject; session: Session | null }>;

/** The project of a page for whoever may see it, looked up once however many components ask; else null. */
export const visibleProject = cache(async (id: string): Promise<VisibleProject | null> => {
  const session = await currentSession();
  const project = readId(id) === null ? null : await findProject(systemDeps(), id, session?.user ?? null);
  return project && { project, session };
});

/**
 * The project of a page. For what somebody may not see there is no page, whether or not it exists; who is signed out
 * goes to sign in first, and comes back to `path`.
 * @param least what they must be in the project; null: it is enough to see it.
 */
export async function openProject(
  id: string,
  path: (project: string) => string,
  least: Role | null = null,
): Promise<VisibleProject> {
  const address = path(`${PROJECTS}/${encodeURIComponent(id)}`);
  await sessionIfAny(address);
  const seen = await visibleProject(id);
  if (seen !== null && (least === null || reaches(seen.project.role, least))) return seen;
  await requireSession(address);
  return notFound();
}

/** The same for pages that only signed-in people have. */
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

/** Where the signed-in person may make a project: below their own name, or in a group of theirs. */
export async function loadNewProject(query: Query) {
  const { user } = await requireSession(`${PROJECTS}/new`);
  const deps = systemDeps();
  const asked = textOf(query, "group");
  const [listed, chosen] = await Promise.all([
    listGroups(
      deps,
      user,
      { memberOnly: true, minLevel: 30 },
      { kind: "offset", page: 1, perPage: GROUPS_OFFERED },
    ),
    readId(asked) === null ? null : findGroup(deps, asked, user),
  ]);
  const group = chosen !== null && reaches(chosen.role, "developer") ? chosen : null;
  return { username: user.username, group: group?.id ?? null, groups: offered(listed.rows, group) };
}

const offered = (listed: readonly Group[], chosen: Group | null): readonly Group[] =>
  [...listed.filter(({ id }) => id !== chosen?.id), ...(chosen === null ? [] : [chosen])].toSorted((a, b) =>
    a.fullPath.localeCompare(b.fullPath),
  );

/** A project for its first page. */
export async function loadOverview(id: string) {
  const { project } = await openProject(id, (home) => home);
  return { project, now: systemDeps().clock() };
}

/** Leads from an address by full path to the page that it stands for; there is no page for any other one. */
export async function followFullPath(segments: readonly string[]): Promise<never> {
  const session = await currentSession();
  const page = await pageByFullPath(systemDeps(), segments, session?.user ?? null);
  return page === null ? notFound() : redirect(page);
}
