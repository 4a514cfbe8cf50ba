import type { Metadata } from "next";
import { SiteList } from "@/fleet/geo/components/site-list";
import { loadSites } from "@/fleet/geo/loaders";
import type { Query } from "@/kernel/http/query";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Geo sites" };

export default async function GeoSitesPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const page = await loadSites(await searchParams);
  return (
    <>
      <PageHead
        title="Geo sites"
        about="Secondary sites copy the data of the primary site. Users sign in to a secondary site with their account on this instance."
        action={
          <ButtonLink kind="primary" href="/admin/geo/sites/new">
            Add site
          </ButtonLink>
        }
      />
      <SiteList {...page} />
    </>
  );
}
