import type { User, UserKind } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import { EMPTY_PAGE, type Page, type Paging } from "@/kernel/paging/paging";
import * as listStore from "./list-store";

/** A search for users. */
export type UsersSearch = Readonly<{
  /** The complete username, compared case-insensitively. */
  username: string | null;
  search: string | null;
  active?: boolean | undefined;
  blocked?: boolean | undefined;
  /** Whether to find only administrators. The caller of the search must check that the viewer may use this filter. */
  admins?: boolean | undefined;
  /** The filter for two-factor authentication. The caller of the search must check that the viewer may use this filter. */
  twoFactor?: boolean | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  /** The kinds of the users; by default, users of all kinds. */
  kinds?: readonly UserKind[] | undefined;
  /** The ids of the only users that the search can return; undefined for all users. */
  ids?: readonly number[] | undefined;
  descending?: boolean | undefined;
}>;

/**
 * Returns a page of users, newest first. Administrators find all users, and can search by e-mail address.
 * Other viewers find active users by username and name.
 */
export async function listUsers(
  deps: Deps,
  viewer: User,
  {
    username,
    search,
    active,
    blocked,
    admins,
    twoFactor,
    kinds,
    ids,
    descending = true,
    ...created
  }: UsersSearch,
  paging: Paging,
): Promise<Page<User>> {
  if (blocked === true && (active === true || !viewer.admin)) return EMPTY_PAGE;
  const onlyActive = active === true || !viewer.admin;
  const filter = {
    username,
    search,
    byEmail: viewer.admin,
    state: onlyActive ? ("active" as const) : blocked === true ? ("blocked" as const) : null,
    administrators: admins === true,
    twoFactor,
    ...created,
    kinds: kinds ?? null,
    ids,
    descending,
  };
  return listStore.listPart(deps, filter, paging);
}

/**
 * Returns a page of users for a list of namespaces, ordered by id, and the number of matching users, counted
 * up to `COUNTED_MAX + 1`.
 * @param scope.userId the id of the only user to return; null to search all users.
 */
export const listNamespacesOfUsers = (
  deps: Deps,
  scope: Readonly<{ search: string; userId: number | null }>,
  window: Readonly<{ skip: number; take: number }>,
) => listStore.namespacesOfUsers(deps.db, scope, window);
