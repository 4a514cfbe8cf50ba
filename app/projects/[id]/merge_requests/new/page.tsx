import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { visibleName } from "@/kernel/text/visible";
import { openMergeRequest } from "@/review/merge-requests/actions";
import { NewMergeRequestForm } from "@/review/merge-requests/components/new-merge-request-form";
import { loadNewMergeRequest } from "@/review/merge-requests/loaders";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { orNotFound } from "../../../../or-not-found";

export const metadata: Metadata = { title: "New merge request" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function NewMergeRequestPage({ params, searchParams }: Props) {
  const { branches, ...rest } = await loadNewMergeRequest((await params).id, await searchParams);
  const shownBranches = branches.map((name) => ({ name, shown: visibleName(name) }));
  return (
    <>
      <PageHead title="New merge request" />
      {shownBranches.length < 2 ? (
        <EmptyState
          title="There is no branch to merge yet"
          action={<ButtonLink href={`/projects/${rest.project}/tree`}>Go to the code</ButtonLink>}
        >
          A merge request needs two branches. Push another branch first.
        </EmptyState>
      ) : (
        <NewMergeRequestForm action={openMergeRequest} branches={shownBranches} {...rest} />
      )}
    </>
  );
});
