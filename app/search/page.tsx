import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { SearchResults } from "@/operations/search/components/search-results";
import { loadSearch, SEARCH_PAGE } from "@/operations/search/loaders";
import { PageHead } from "@/ui/page-shell";
import { SearchForm } from "@/ui/search-form";
import { Frame } from "../frame";

export const metadata: Metadata = { title: "Search" };

export default async function SearchPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { search, sections, admin } = await loadSearch(await searchParams);
  return (
    <Frame>
      <PageHead title="Search" about="Find projects, applications, settings and help pages." />
      <SearchForm
        action={SEARCH_PAGE}
        label="Search for"
        hint={
          admin
            ? "Enter the beginning of a name, path, Application ID, username or e-mail address, or words from the description of a setting."
            : "Enter a name, a path, or words from the description of a setting."
        }
        search={search}
      />
      <SearchResults search={search} sections={sections} admin={admin} />
    </Frame>
  );
}
