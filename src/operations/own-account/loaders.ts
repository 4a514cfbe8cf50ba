import { csrfTokenFor, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import type { Group } from "@/workspace/groups/rules";
import { groupsForTransfers } from "@/workspace/projects/transfer";
import { type DeletionImpact, deletionImpactOf } from "../administration/deletion-impact";
import { EXPORT_CSRF_PURPOSE } from "./data-export";

export const DELETE_ACCOUNT = "/user_settings/delete_account";

/** Loads the data that will be deleted with the user's own account. */
export async function loadOwnDeletion(): Promise<
  Readonly<{ username: string; impact: DeletionImpact; groups: readonly Group[] }>
> {
  const { user } = await requireSession(DELETE_ACCOUNT);
  const deps = systemDeps();
  const [impact, groups] = await Promise.all([deletionImpactOf(deps, user), groupsForTransfers(deps, user)]);
  return { username: user.username, impact, groups };
}

/**
 * Returns the CSRF token of the form that downloads the user's data.
 * @param page the URL path of the page that contains the form.
 */
export const exportCsrfToken = async (page: string): Promise<string> =>
  csrfTokenFor(await requireSession(page), EXPORT_CSRF_PURPOSE);
