import type { User } from "@/access/principal";
import { ROLES } from "@/access/roles";
import * as users from "@/identity/users/service";
import { listNamespacesOfUsers } from "@/identity/users/user-search";
import type { Deps } from "@/kernel/deps/deps";
import { COUNTED_MAX, type Page, type Paging, windowOf } from "@/kernel/paging/paging";
import * as groups from "../groups/service";
import { type Namespace, userIdOfNamespace } from "./rules";

export type NamespaceSearch = Readonly<{ search: string; ownedOnly: boolean; topLevelOnly: boolean }>;

/** Returns a page of the namespaces of a user: first the groups, ordered by id, and then the namespaces of users. */
export async function listNamespaces(
  deps: Deps,
  user: User,
  { search, ownedOnly, topLevelOnly }: NamespaceSearch,
  paging: Paging,
): Promise<Page<Namespace>> {
  const { skip, take } = windowOf(paging);
  const filter = {
    search,
    memberOnly: ownedOnly || !user.admin,
    minLevel: ownedOnly ? ROLES.owner.level : 0,
    ...(topLevelOnly ? { parentId: null } : {}),
  };
  const page = await groups.listGroups(deps, user, filter, paging);
  const groupsBefore =
    page.total ?? (page.rows.length < take ? await groups.countGroups(deps, user, filter) : skip + take);
  const window = { skip: Math.max(0, skip - groupsBefore), take: take - page.rows.length };
  const scope = { search, userId: user.admin && !ownedOnly ? null : user.id };
  const users = await listNamespacesOfUsers(deps, scope, window);
  const total = page.total === null ? null : page.total + users.total;
  return {
    rows: [
      ...page.rows.map((group) => ({ kind: "group", group }) as const),
      ...users.rows.map((row) => ({ kind: "user", ...row }) as const),
    ],
    total: total === null || total > COUNTED_MAX ? null : total,
    next: null,
  };
}

/**
 * Returns the namespace with this id or full path.
 * @returns null if the namespace does not exist or is hidden from the user. Only administrators can see the
 * namespaces of other users.
 */
export async function findNamespace(deps: Deps, user: User, reference: string): Promise<Namespace | null> {
  const userId = userIdOfNamespace(reference);
  if (userId === null) {
    const group = await groups.findGroup(deps, reference, user);
    if (group !== null) return { kind: "group", group };
  }
  const owner = userId === null ? await byUsername(deps, reference) : await users.findById(deps, userId);
  if (owner === null || (owner.id !== user.id && !user.admin)) return null;
  return { kind: "user", id: owner.id, username: owner.username, name: owner.name };
}

/**
 * Returns the user with a username. Users are not found by e-mail address, so that the API does not reveal which
 * accounts exist.
 */
const byUsername = async (deps: Deps, username: string): Promise<User | null> =>
  /^\d*$/.test(username) || username.includes("@") ? null : users.find(deps, username);

export type PathAvailability = Readonly<{ exists: boolean; suggests: readonly string[] }>;

const SUGGESTIONS_TRIED = 20;

/**
 * Returns whether a path is already in use by a group or a user. If the path is in use, an available path is
 * suggested. If the user cannot see the parent group, every path counts as available.
 */
export async function checkPathAvailability(
  deps: Deps,
  user: User,
  path: string,
  parentId: number | null,
): Promise<PathAvailability> {
  const parent = parentId === null ? null : await groups.findGroup(deps, String(parentId), user);
  if (parentId !== null && parent === null) return { exists: false, suggests: [] };
  const candidates = [path, ...Array.from({ length: SUGGESTIONS_TRIED }, (_, at) => `${path}${at + 1}`)];
  const taken = await groups.takenPaths(deps, candidates, parent);
  if (!taken.has(path.toLowerCase())) return { exists: false, suggests: [] };
  const free = candidates.find((candidate) => !taken.has(candidate.toLowerCase()));
  return { exists: true, suggests: free === undefined ? [] : [free] };
}
