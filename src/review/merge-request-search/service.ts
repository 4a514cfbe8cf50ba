import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import type { AuthorizedGroup } from "@/workspace/groups/rules";
import { readableCodeFilter } from "@/workspace/projects/service";
import { findMergeRequestsByIds, type MergeRequestWithStatus, withStatuses } from "../merge-requests/service";
import type { MergeRequestFilter } from "./filter";
import * as store from "./store";

export type MergeRequestSearch = Omit<MergeRequestFilter, "readable" | "groupId"> &
  Readonly<{ group?: AuthorizedGroup }>;

/**
 * Returns a page of the merge requests that a user may read. Each merge request has the merge status that was
 * stored last. The function does not run Git, and the number of queries does not depend on the number of
 * merge requests.
 */
export async function listMergeRequests(
  deps: Deps,
  user: User | null,
  { group, ...search }: MergeRequestSearch,
  paging: Paging,
): Promise<Page<MergeRequestWithStatus>> {
  // A list of the merge requests of a single project needs no access filter, because the caller has already
  // checked that the user may read the source code. A list for a group needs no access filter if the user has
  // at least the role Reporter, because a Reporter may read the source code of all projects in the group.
  const isChecked =
    search.projectId !== undefined || (group !== undefined && reaches(group.role, "reporter"));
  const readable = isChecked ? { condition: {}, ids: null } : await readableCodeFilter(deps, user);
  const page = await store.list(deps, { ...search, groupId: group?.id, readable }, paging, (ids) =>
    findMergeRequestsByIds(deps, ids),
  );
  return { ...page, rows: await withStatuses(deps, page.rows) };
}
