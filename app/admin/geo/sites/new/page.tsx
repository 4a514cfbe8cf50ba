import type { Metadata } from "next";
import { addSite } from "@/fleet/geo/actions";
import { NewSiteForm } from "@/fleet/geo/components/new-site-form";
import { loadNewSite } from "@/fleet/geo/loaders";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Add a Geo site" };

export default async function NewGeoSitePage() {
  return (
    <>
      <PageHead
        title="Add a Geo site"
        about="When you add a secondary site, the server registers an application through which users sign in to the site."
      />
      <NewSiteForm action={addSite} draft={await loadNewSite()} />
    </>
  );
}
