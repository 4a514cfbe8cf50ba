import type { Metadata } from "next";
import { REFERENCE_PATH, searchReference } from "@/http-api/reference";
import { systemDeps } from "@/kernel/deps/deps";
import { apiReference } from "@/server/api-document";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { SearchForm } from "@/ui/search-form";
import { SectionNav } from "@/ui/section-nav";
import { StaticMarkup } from "@/ui/static-markup";
import { Frame } from "../../frame";
import { ChapterList } from "./chapter-list";
import { FollowAnchor } from "./follow-anchor";
import { V5_SECTION, V5Section } from "./v5-section";

export const metadata: Metadata = { title: "REST API" };

/** The maximum number of characters of a search, as in the search form. */
const SEARCH_CHARACTERS_MAX = 100;

type Props = { readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>> };

export default async function ApiReferencePage({ searchParams }: Props) {
  const { search: given } = await searchParams;
  const search = typeof given === "string" ? given.trim().slice(0, SEARCH_CHARACTERS_MAX) : "";
  const { url, description, chapters } = await apiReference(systemDeps());
  const matching = searchReference(chapters, search);
  return (
    <Frame>
      <StaticMarkup>
        <PageHead
          title="REST API"
          about={
            <>
              Every URL begins with <code className="font-mono">{url}</code>. The same reference is available
              as <a href="/api/v4/openapi.json">an OpenAPI document</a>.
            </>
          }
        />
        <SearchForm
          action={REFERENCE_PATH}
          label="Search endpoints"
          hint="Search for any part of a path, or for the name of a resource or a parameter."
          search={search}
        />
        {matching.length === 0 ? (
          <EmptyState title="No matching endpoints">Change the search, or show all endpoints.</EmptyState>
        ) : (
          <>
            <SectionNav
              sections={[
                ...matching.map(({ anchor, name }) => ({ id: anchor, label: name })),
                ...(search === "" ? [V5_SECTION] : []),
              ]}
            />
            <ChapterList chapters={matching} />
          </>
        )}
        {search === "" ? (
          <>
            <p className="text-muted">{description}</p>
            <V5Section />
          </>
        ) : null}
        <FollowAnchor />
      </StaticMarkup>
    </Frame>
  );
}
