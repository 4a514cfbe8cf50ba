import { notFound } from "next/navigation";
import { heldFormOf, requireAdmin } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { readId } from "@/kernel/paging/keyset";
import { draftOf, readSiteForm } from "./schema";
import { findSite } from "./service";

/** The data of the page on which administrators edit a Geo site. */
export const sitePage = (id: string): string => `/admin/geo/sites/${encodeURIComponent(id)}/edit`;

/**
 * Returns a Geo site with its form, which is restored after a re-authentication. The response for an unknown
 * id is 404.
 */
export async function loadSite(id: string) {
  await requireAdmin(sitePage(id));
  const siteId = readId(id);
  const site = (siteId === null ? null : await findSite(systemDeps(), siteId)) ?? notFound();
  const held = await heldFormOf(sitePage(id));
  return { site, draft: held === null ? draftOf(site) : readSiteForm(held) };
}
