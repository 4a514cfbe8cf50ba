import type { Metadata } from "next";
import { ErrorFilter } from "@/error-tracking/tracked-errors/components/error-filter";
import { ErrorTable } from "@/error-tracking/tracked-errors/components/error-table";
import { IngestSummaryLine } from "@/error-tracking/tracked-errors/components/ingest-summary-line";
import { LiveList } from "@/error-tracking/tracked-errors/components/live-list";
import { NoErrors } from "@/error-tracking/tracked-errors/components/no-errors";
import { loadErrors } from "@/error-tracking/tracked-errors/loaders";
import type { Query } from "@/kernel/http/query";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { orNotFound } from "../../../or-not-found";

export const metadata: Metadata = { title: "Errors" };

type Props = { readonly params: Promise<{ readonly id: string }>; readonly searchParams: Promise<Query> };

export default orNotFound(async function ErrorsPage({ params, searchParams }: Props) {
  const page = await loadErrors((await params).id, await searchParams);
  const { errors, home, search, total, ingestSummary, tracking, nothingYet, pager } = page;
  return (
    <>
      <PageHead
        title="Errors"
        about="Errors that the programs of this project report. Events with the same cause are grouped into one error."
      />
      {nothingYet ? null : <ErrorFilter home={home} search={search} total={total} />}
      {tracking.kind === "integrated" || nothingYet ? null : (
        <Notice kind="warning">Error tracking is off. This project receives no new events.</Notice>
      )}
      {errors.length === 0 ? <NoErrors {...page} /> : <ErrorTable {...page} />}
      <LiveList projectId={page.projectId} version={page.version} />
      <IngestSummaryLine ingestSummary={ingestSummary} range={search.range} />
      <Pager {...pager} />
    </>
  );
});
