import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { PackageTable, PublishCard } from "@/registries/packages/components/package-list";
import { loadPackages } from "@/registries/packages/loaders";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { StaticMarkup } from "@/ui/static-markup";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Packages" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function PackagesPage({ params, searchParams }: Props) {
  const page = await loadPackages((await params).id, await searchParams);
  const { home, packages, search, pager, publishLine, downloadLine, now } = page;
  return (
    <StaticMarkup>
      <PageHead title="Packages" />
      {packages.length > 0 || search !== "" ? (
        <SearchForm action={home} label="Find a package" search={search} />
      ) : null}
      {packages.length > 0 ? (
        <PackageTable packages={packages} now={now} />
      ) : (
        <EmptyState title={search === "" ? "No packages yet" : "No packages found"}>
          {search === ""
            ? "Publish a package to list its name and versions here."
            : "Search for any part of a package name."}
        </EmptyState>
      )}
      <Pager {...pager} newestFirst />
      <PublishCard publishLine={publishLine} downloadLine={downloadLine} />
    </StaticMarkup>
  );
});
