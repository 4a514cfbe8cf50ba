import { notFound } from "next/navigation";
import { heldFormOf, requireAdmin } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, readId } from "@/kernel/http/query";
import { offsetLinks, offsetPagingIn } from "@/kernel/paging/links";
import { draftOf, type NewSiteDraft, readNewSiteForm, readSiteForm } from "./schema";
import { findSite, siteStatuses } from "./service";

/** Returns the URL path of the page on which administrators edit a Geo site. */
export const sitePage = (id: string): string => `/admin/geo/sites/${encodeURIComponent(id)}/edit`;

/**
 * Returns a Geo site, and the values of the form that edits the site. After a re-authentication, the form
 * contains the values that were submitted before the re-authentication. If no site has this id, the response
 * has the status 404.
 */
export async function loadSite(id: string) {
  await requireAdmin(sitePage(id));
  const siteId = readId(id);
  const site = (siteId === null ? null : await findSite(systemDeps(), siteId)) ?? notFound();
  const held = await heldFormOf(sitePage(id));
  return { site, draft: held === null ? draftOf(site) : readSiteForm(held) };
}

const SITES = "/admin/geo/sites";
const SITES_SHOWN = 20;

/** For an administrator, loads a page of the Geo sites with the status of each site. */
export async function loadSites(query: Query) {
  const { user } = await requireAdmin(SITES);
  const deps = systemDeps();
  const paging = offsetPagingIn(query, SITES_SHOWN);
  const statuses = await siteStatuses(deps, user, paging);
  return { sites: statuses.rows, pager: offsetLinks(paging, statuses, SITES), now: deps.clock() };
}

export type SitesPage = Awaited<ReturnType<typeof loadSites>>;

/**
 * Returns the values of the form that adds a Geo site. After a re-authentication, the form contains the
 * values that were submitted before the re-authentication.
 */
export async function loadNewSite(): Promise<NewSiteDraft> {
  await requireAdmin(`${SITES}/new`);
  const held = await heldFormOf(`${SITES}/new`);
  return held === null ? { name: "", url: "", primary: false } : readNewSiteForm(held);
}
