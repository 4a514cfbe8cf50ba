import type { User } from "@/access/principal";
import type { Deps } from "@/platform/deps";
import type { Page, Paging } from "@/platform/paging";
import * as directory from "./directory";

/** Whom somebody looks for. */
export type PeopleSearch = Readonly<{
  /** Exactly, in any case. */
  username: string | null;
  search: string | null;
  active?: boolean | undefined;
  blocked?: boolean | undefined;
  admins?: boolean | undefined;
}>;

const NOBODY = { rows: [], total: 0, next: null } as const;

/**
 * A part of the people, the latest first. An administrator finds everybody, also by their address; anyone else finds
 * those who are active, and not by what they do not show.
 */
export async function listPeople(
  deps: Deps,
  viewer: User,
  { username, search, active, blocked, admins }: PeopleSearch,
  paging: Paging,
): Promise<Page<User>> {
  if (blocked === true && (active === true || !viewer.admin)) return NOBODY;
  const onlyActive = active === true || !viewer.admin;
  const filter = {
    username,
    search,
    byAddress: viewer.admin,
    state: onlyActive ? ("active" as const) : blocked === true ? ("blocked" as const) : null,
    administrators: viewer.admin && admins === true,
  };
  return directory.part(deps.db, filter, paging);
}
