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
 * A part of the merge requests that a user may read, as they were last seen: without a Git command, and with as many
 * queries for one as for a hundred.
 */
export async function listMergeRequests(
  deps: Deps,
  user: User | null,
  { group, ...search }: MergeRequestSearch,
  paging: Paging,
): Promise<Page<MergeRequestWithStatus>> {
  // The caller has checked that the user may read the code of a project. In a group, reporters read all of it.
  const isChecked =
    search.projectId !== undefined || (group !== undefined && reaches(group.role, "reporter"));
  const readable = isChecked ? {} : await readableCodeFilter(deps, user);
  const page = await store.list(deps.db, { ...search, groupId: group?.id, readable }, paging, (ids) =>
    findMergeRequestsByIds(deps, ids),
  );
  return { ...page, rows: await withStatuses(deps, page.rows) };
}
