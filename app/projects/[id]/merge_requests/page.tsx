import type { Metadata } from "next";
import { type Query, urlWithQuery } from "@/kernel/http/query";
import { MergeRequestTable } from "@/review/merge-request-search/components/merge-request-table";
import { loadMergeRequests } from "@/review/merge-request-search/loaders";
import { STATE_LABELS } from "@/review/merge-requests/components/merge-request-badges";
import { parametersOf, SHOWN_STATES } from "@/review/merge-requests/schema";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { SearchForm } from "@/ui/search-form";
import { Tabs } from "@/ui/tabs";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Merge requests" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function MergeRequestsPage({ params, searchParams }: Props) {
  const page = await loadMergeRequests((await params).id, await searchParams);
  const { home, search, mergeRequests, total, mayOpen, pager, now } = page;
  const tabs = SHOWN_STATES.map((state) => ({
    label: state === "all" ? "All" : STATE_LABELS[state],
    href: urlWithQuery(home, parametersOf({ ...search, state })),
    current: search.state === state,
    count: search.state === state ? total : null,
  }));
  const open = mayOpen ? (
    <ButtonLink href={`${home}/new`} kind="primary">
      New merge request
    </ButtonLink>
  ) : null;
  return (
    <>
      <PageHead
        title="Merge requests"
        about="Proposed changes, their reviews and their merge status."
        action={open}
      />
      <Tabs label="Filter by state" tabs={tabs} />
      <SearchForm
        action={home}
        label="Search"
        search={search.search}
        keep={{ state: parametersOf(search).state }}
      />
      {mergeRequests.length === 0 ? (
        <EmptyState title="No merge requests">
          {search.search === ""
            ? "Push a branch and create a merge request to have the changes reviewed before they are merged."
            : "No merge request in this list matches your search."}
        </EmptyState>
      ) : (
        <MergeRequestTable mergeRequests={mergeRequests} home={home} now={now} />
      )}
      <Pager {...pager} newestFirst />
    </>
  );
});
