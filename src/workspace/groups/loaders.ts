import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Role, reaches } from "@/access/roles";
import { currentSession, requireSession, sessionIfAny } from "@/identity/sessions/loaders";
import type { Session } from "@/identity/sessions/service";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf, urlWithQuery } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { rolesIn } from "../members/service";
import type { AuthorizedGroup, Group } from "./rules";
import { findGroup, listGroups, resourceOf } from "./service";

export const GROUPS = "/groups";

const ROWS_SHOWN = 20;
const SEARCH_CHARACTERS_MAX = 100;

/** Loads a page of the groups in which the viewer is a member, or of all visible groups. */
export async function loadGroups(query: Query) {
  const user = (await sessionIfAny(GROUPS))?.user ?? null;
  const scope = user === null || textOf(query, "scope") === "all" ? "all" : "yours";
  const search = textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX);
  const paging = offsetPagingIn(query, ROWS_SHOWN);
  const result = await listGroups(systemDeps(), user, { search, memberOnly: scope === "yours" }, paging);
  const roles = await rolesIn(systemDeps(), result.rows.map(resourceOf), user);
  const parameters = { scope: scope === "all" && user !== null ? "all" : "", search };
  const pager = offsetLinks(paging, result, GROUPS, parameters);
  return { groups: result.rows, roles, scope, search, pager, user } as const;
}

/** A group and the session of the viewer. The session is null for a viewer who is not signed in. */
export type VisibleGroup = Readonly<{ group: AuthorizedGroup; session: Session | null }>;

/**
 * Returns the group of a page, or null if the viewer cannot see the group. The result is cached for the
 * duration of the request.
 */
export const visibleGroup = cache(async (id: string): Promise<VisibleGroup | null> => {
  const session = await currentSession();
  const group = readId(id) === null ? null : await findGroup(systemDeps(), id, session?.user ?? null);
  return group && { group, session };
});

/**
 * Returns the group of a page. A viewer who is not signed in is redirected to the sign-in page, with the page as the
 * return URL. The page "not found" is the same for hidden and for unknown groups.
 * @param path a function that converts the URL path of the group to the URL path of the page.
 * @param least the minimum role; null if every viewer who can see the group may open the page.
 */
export async function openGroup(
  id: string,
  path: (home: string) => string,
  least: Role | null = null,
): Promise<VisibleGroup> {
  const url = path(`${GROUPS}/${encodeURIComponent(id)}`);
  const session = await sessionIfAny(url);
  const visible = await visibleGroup(id);
  if (visible !== null && (least === null || reaches(visible.group.role, least))) return visible;
  await redirectByPath(id, session, path);
  await requireSession(url);
  return notFound();
}

/**
 * Redirects a URL that contains the full path of a group, such as `web_url` in the API, to the URL that contains the
 * id.
 */
async function redirectByPath(
  reference: string,
  session: Session | null,
  path: (home: string) => string,
): Promise<void> {
  if (!/^[\w.-]{1,255}$/.test(reference) || readId(reference) !== null) return;
  const group = await findGroup(systemDeps(), reference, session?.user ?? null);
  if (group !== null) redirect(path(`${GROUPS}/${group.id}`));
}

/** Returns the group of a page as `openGroup` does. The viewer must be signed in. */
export async function requireGroup(
  id: string,
  path: (home: string) => string,
  least: Role | null = null,
): Promise<VisibleGroup & Readonly<{ session: Session }>> {
  const { group } = await openGroup(id, path, least);
  return { group, session: await requireSession(path(`${GROUPS}/${encodeURIComponent(id)}`)) };
}

/** Loads the form for a new group. @returns the parent group; null if the new group is at the top level. */
export async function loadNewGroup(query: Query): Promise<Group | null> {
  const parent = textOf(query, "parent");
  if (parent === "") {
    await requireSession(`${GROUPS}/new`);
    return null;
  }
  const back = () => `${GROUPS}/new?parent=${encodeURIComponent(parent)}`;
  return (await requireGroup(parent, back, "maintainer")).group;
}

/**
 * The parts of GitLab URLs of a group after `/-/`, each with the path of the page of this server that has the
 * same content.
 */
const GITLAB_PAGES: Readonly<Record<string, string>> = {
  group_members: "/members",
  "settings/applications": "/settings/applications",
  "settings/applications/new": "/settings/applications/new",
};

/**
 * Redirects a GitLab URL that contains `/-/` after the path of a group to the page of this server with the
 * same content.
 */
export async function followGitlabGroupUrl(
  id: string,
  segments: readonly string[],
  query: Query,
): Promise<never> {
  const { group } = await openGroup(id, (home) => `${home}/-/${segments.join("/")}`);
  const page = GITLAB_PAGES[segments.join("/")] ?? notFound();
  const parameters = Object.fromEntries(Object.keys(query).map((name) => [name, textOf(query, name)]));
  redirect(urlWithQuery(`${GROUPS}/${group.id}${page}`, parameters));
}
