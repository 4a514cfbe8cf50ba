import { redirect } from "next/navigation";
import { requireAdmin, requireSession } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId, textOf, urlWithQuery } from "@/kernel/http/query";
import type { DeprecatedUse, UseCircle } from "./rules";
import { listDeprecatedUses } from "./service";

export const INSTANCE_USES_PAGE = "/admin/api_v5";
export const OWN_USES_PAGE = "/user_settings/api_v5";

const PER_PAGE = 25;

/** One page of uses, with the URLs of the previous and the next page. */
export type UsesPage = Readonly<{
  uses: readonly DeprecatedUse[];
  now: Date;
  newer: string | null;
  older: string | null;
}>;

/** Loads all uses of the instance, for an administrator. */
export async function loadInstanceUses(query: Query): Promise<UsesPage> {
  const { user } = await requireAdmin(INSTANCE_USES_PAGE);
  return usesOf(user, "all", query, { path: INSTANCE_USES_PAGE, parameter: "page" });
}

/** Loads the uses with the user's own tokens, and the uses by the applications that the user registered. */
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
  const page = readId(textOf(query, parameter)) ?? 1;
  const { rows, total } = await listDeprecatedUses(deps, user, circle, {
    kind: "offset",
    page,
    perPage: PER_PAGE,
  });
  // An empty page after the last page would suggest that there are no uses.
  if (rows.length === 0 && page > 1) redirect(path);
  const way = (to: number) => urlWithQuery(path, { [parameter]: String(to) });
  return {
    uses: rows,
    now: deps.clock(),
    newer: page > 1 ? way(page - 1) : null,
    older: rows.length === PER_PAGE && total !== page * PER_PAGE ? way(page + 1) : null,
  };
}
