import type { Metadata } from "next";
import { saveSite } from "@/fleet/geo/actions";
import { SiteForm } from "@/fleet/geo/components/site-form";
import { loadSite } from "@/fleet/geo/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Geo site" };

export default async function GeoSitePage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const { site, draft } = await loadSite((await params).id);
  return (
    <>
      <PageHead
        title={`Geo site ${site.name}`}
        about={
          site.primary
            ? "This instance is the primary site. Secondary sites copy the data of the primary site."
            : "A secondary site copies the data of this instance. Users sign in to the secondary site with their account on this instance."
        }
      />
      <SiteForm action={saveSite} id={site.id} primary={site.primary} draft={draft} />
    </>
  );
}
