import type { User } from "@/access/principal";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import { findGroup } from "../groups/service";
import { findProject } from "./service";

/** As long as a path of that many groups can be. */
const SEGMENTS_MAX = 22;

/**
 * The page of a project, a group or a person whose full path an address names, as the API tells it in `web_url`:
 * `/group/project`, `/groups/group/subgroup` or `/username`; and that of a group without `/groups`, as GitLab has it. Pages are by id, since a full path may look like any address
 * of our own.
 * @returns null for what is none of theirs, or not theirs to see.
 */
export async function pageByFullPath(
  deps: Deps,
  segments: readonly string[],
  user: User | null,
): Promise<string | null> {
  if (segments.length > SEGMENTS_MAX) return null;
  // A segment that a browser escapes is no path of ours.
  if (!segments.every((segment) => /^[\w.-]{1,255}$/.test(segment))) return null;
  const [first, ...below] = segments;
  if (below.length === 0)
    return (await groupPage(deps, segments, user)) ?? (await usersPage(deps, first, user));
  if (first === "groups") return groupPage(deps, below, user);
  // The URL from which it is cloned ends with `.git`.
  const project = await findProject(deps, segments.join("/").replace(/\.git$/, ""), user);
  return project === null ? groupPage(deps, segments, user) : `/projects/${project.id}`;
}

async function groupPage(deps: Deps, segments: readonly string[], user: User | null): Promise<string | null> {
  const path = segments.join("/");
  // By its path alone: a number would be taken for an id.
  const group = /^\d*$/.test(path) ? null : await findGroup(deps, path, user);
  return group && `/groups/${group.id}`;
}

/** People are shown to who is signed in, as by the API: nobody else learns who is here. */
async function usersPage(
  deps: Deps,
  username: string | undefined,
  viewer: User | null,
): Promise<string | null> {
  if (viewer === null || username === undefined) return null;
  const user = await users.find(deps, username);
  return user && `/users/${user.id}`;
}
