import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { OverviewContent } from "@/operations/overview/components/overview";
import { loadOverview } from "@/operations/overview/loaders";
import { PageHead } from "@/ui/page-shell";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Administration" };

export default async function AdminPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { overview, period } = await loadOverview(await searchParams);
  return (
    <StaticMarkup>
      <PageHead
        title="Overview"
        about="The state of this instance, and statistics about its use. All times are in UTC."
      />
      <OverviewContent overview={overview} period={period} />
    </StaticMarkup>
  );
}
