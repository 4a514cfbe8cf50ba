import type { User } from "@/access/principal";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import { findGroup } from "../groups/service";
import { findProject } from "./service";

/**
 * The maximum number of segments in the URL path of a project or a group: `groups`, the nested groups and the
 * project.
 */
const SEGMENTS_MAX = 22;

/**
 * Returns the URL path of the page of a project, a group or a user. The function accepts URL paths with a
 * full path, as in `web_url` in the API: `/group/project`, `/groups/group/subgroup` or `/username`. As in
 * GitLab, `/group/subgroup` is accepted without the prefix `/groups`. The URLs of pages contain ids, because
 * a full path may equal the URL of another page.
 * @returns null for unknown paths, and for paths that are hidden from the user.
 */
export async function pageByFullPath(
  deps: Deps,
  segments: readonly string[],
  user: User | null,
): Promise<string | null> {
  if (segments.length > SEGMENTS_MAX) return null;
  // The paths of projects, groups and users contain only these characters.
  if (!segments.every((segment) => /^[\w.-]{1,255}$/.test(segment))) return null;
  const [first, ...rest] = segments;
  if (rest.length === 0)
    return (await groupPage(deps, segments, user)) ?? (await usersPage(deps, first, user));
  if (first === "groups") return groupPage(deps, rest, user);
  // Clone URLs of projects end with `.git`.
  const project = await findProject(deps, segments.join("/").replace(/\.git$/, ""), user);
  return project === null ? groupPage(deps, segments, user) : `/projects/${project.id}`;
}

async function groupPage(deps: Deps, segments: readonly string[], user: User | null): Promise<string | null> {
  const path = segments.join("/");
  // `findGroup` would treat a number as the id of a group.
  const group = /^\d*$/.test(path) ? null : await findGroup(deps, path, user);
  return group && `/groups/${group.id}`;
}

/**
 * Returns the page of a user; null for viewers who are not signed in, because these viewers must not learn
 * which usernames exist.
 */
async function usersPage(
  deps: Deps,
  username: string | undefined,
  viewer: User | null,
): Promise<string | null> {
  if (viewer === null || username === undefined) return null;
  const user = await users.find(deps, username);
  return user && `/users/${user.id}`;
}
