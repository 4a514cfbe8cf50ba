import type { User } from "@/access/principal";
import { findUsersByPrefix } from "@/identity/users/administration";
import type { Deps } from "@/kernel/deps/deps";
import { findMatchingApplications } from "@/oauth/applications/administration";
import { findMatchingGroups } from "@/workspace/groups/service";
import { findMatchingProjects } from "@/workspace/projects/service";
import { PLACES } from "./catalog";
import { findPlaces, type SearchResult, type SearchSection } from "./rules";

/** The maximum length of a search. */
export const SEARCH_CHARACTERS_MAX = 100;

/**
 * Returns the projects, groups, applications, users, pages and settings that match a search and that the user
 * can open. The result contains other users only for administrators. The queries run simultaneously, and each
 * query reads a few rows of an index.
 * @param user the user; null for a visitor, who finds public projects and public pages.
 * @param search the search text; an empty search text matches only pages.
 * @param most the maximum number of results of each kind.
 */
export async function searchEverything(
  deps: Deps,
  user: User | null,
  search: string,
  most: number,
): Promise<readonly SearchSection[]> {
  const text = search.replaceAll("\0", "").trim().slice(0, SEARCH_CHARACTERS_MAX);
  const viewer = { signedIn: user !== null, admin: user?.admin === true };
  const places = findPlaces(PLACES, viewer, text).slice(0, most);
  const [projects, groups, applications, users] =
    text === ""
      ? [[], [], [], []]
      : await Promise.all([
          findMatchingProjects(deps, user, text, most),
          user === null ? [] : findMatchingGroups(deps, user, text, most),
          user === null ? [] : findMatchingApplications(deps, user, text, most),
          user?.admin ? findUsersByPrefix(deps, text.replace(/^@/, ""), most) : [],
        ]);
  return [
    section(
      "Projects",
      projects.map(({ id, name, fullPath }) => ({ label: name, detail: fullPath, href: `/projects/${id}` })),
    ),
    section(
      "Groups",
      groups.map(({ id, name, fullPath }) => ({ label: name, detail: fullPath, href: `/groups/${id}` })),
    ),
    section(
      "Applications",
      applications.map(({ id, name, owner, own }) => ({
        label: name,
        detail: own ? "Your application" : `Application of ${owner}`,
        href: own ? `/user_settings/applications/${id}` : `/admin/applications/${id}`,
      })),
    ),
    section(
      "Users",
      users.map(({ id, username, name }) => ({
        label: name,
        detail: `@${username}`,
        href: `/admin/users/${id}`,
      })),
    ),
    section("Pages and settings", places),
  ].filter(({ results }) => results.length > 0);
}

const section = (title: string, results: readonly SearchResult[]): SearchSection => ({ title, results });
