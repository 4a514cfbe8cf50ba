import { redirect } from "next/navigation";
import { requireAdmin, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import type { Query } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn, type PageLinks } from "@/kernel/paging/links";
import type { DeprecatedUse, UseCircle } from "./rules";
import { listDeprecatedUses } from "./service";

export const INSTANCE_USES_PAGE = "/admin/api_v5";
export const OWN_USES_PAGE = "/user_settings/api_v5";

const PER_PAGE = 25;

/** One page of the uses of deprecated parts of the API, with the URLs of the previous and the next page. */
export type UsesPage = PageLinks & Readonly<{ uses: readonly DeprecatedUse[]; now: Date }>;

/** Loads all uses of deprecated parts of the API in the instance, for an administrator. */
export async function loadInstanceUses(query: Query): Promise<UsesPage> {
  const { user } = await requireAdmin(INSTANCE_USES_PAGE);
  return usesOf(user, "all", query, { path: INSTANCE_USES_PAGE, parameter: "page" });
}

/**
 * Loads the uses of deprecated parts of the API with the user's own tokens, and the uses by the applications
 * that the user registered.
 */
export async function loadOwnUses(
  query: Query,
): Promise<Readonly<{ own: UsesPage; applications: UsesPage }>> {
  const { user } = await requireSession(OWN_USES_PAGE);
  return {
    own: await usesOf(user, "own", query, { path: OWN_USES_PAGE, parameter: "page" }),
    applications: await usesOf(user, "applications", query, {
      path: OWN_USES_PAGE,
      parameter: "applications_page",
    }),
  };
}

async function usesOf(
  user: Readonly<{ id: number }>,
  circle: UseCircle,
  query: Query,
  { path, parameter }: Readonly<{ path: string; parameter: string }>,
): Promise<UsesPage> {
  const deps = systemDeps();
  const paging = offsetPagingIn(query, PER_PAGE, parameter);
  const shown = await listDeprecatedUses(deps, user, circle, paging);
  // A page after the last page would be empty, and a user could think that there are no uses.
  if (shown.rows.length === 0 && paging.page > 1) redirect(path);
  return { uses: shown.rows, now: deps.clock(), ...offsetLinks(paging, shown, path, { parameter }) };
}
