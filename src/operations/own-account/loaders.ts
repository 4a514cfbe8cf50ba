import { csrfTokenFor, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type DeletionImpact, deletionImpactOf } from "../administration/deletion-impact";
import { EXPORT_CSRF_PURPOSE } from "./data-export";

export const DELETE_ACCOUNT = "/user_settings/delete_account";

/** Loads the data that are deleted with the own account. */
export async function loadOwnDeletion(): Promise<Readonly<{ username: string; impact: DeletionImpact }>> {
  const { user } = await requireSession(DELETE_ACCOUNT);
  return { username: user.username, impact: await deletionImpactOf(systemDeps(), user) };
}

/** Returns the CSRF token of the form that downloads the own data. @param page the page of the form. */
export const exportCsrfToken = async (page: string): Promise<string> =>
  csrfTokenFor(await requireSession(page), EXPORT_CSRF_PURPOSE);
