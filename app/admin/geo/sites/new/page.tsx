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
        about="For a secondary site, the application that its users sign in with is registered automatically."
      />
      <NewSiteForm action={addSite} draft={await loadNewSite()} />
    </>
  );
}
