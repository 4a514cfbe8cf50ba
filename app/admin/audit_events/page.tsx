import type { Metadata } from "next";
import { type Query, urlWithQuery } from "@/kernel/http/query";
import { EventFilter } from "@/operations/audit/components/event-filter";
import { EventTable } from "@/operations/audit/components/event-table";
import { EVENTS_PAGE } from "@/operations/audit/export";
import { loadEvents } from "@/operations/audit/loaders";
import { ButtonLink } from "@/ui/button";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";
import { StaticMarkup } from "@/ui/static-markup";

export const metadata: Metadata = { title: "Audit events" };

export default async function AuditEventsPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const { search, problems, events, pager, now } = await loadEvents(await searchParams);
  const exportAs = (format: string) => urlWithQuery(`${EVENTS_PAGE}/export`, { ...search, format });
  return (
    <StaticMarkup>
      <PageHead title="Audit events" about="All recorded actions on this instance, newest first." />
      <EventFilter action={EVENTS_PAGE} search={search} problems={problems} />
      <EventTable events={events} now={now} />
      <Pager {...pager} newestFirst />
      {events.length === 0 ? null : (
        <p className="flex flex-wrap items-center gap-3">
          <span className="text-muted">Export all events that match this filter:</span>
          <ButtonLink size="small" href={exportAs("csv")}>
            Export as CSV
          </ButtonLink>
          <ButtonLink size="small" href={exportAs("jsonl")}>
            Export as JSON Lines
          </ButtonLink>
        </p>
      )}
    </StaticMarkup>
  );
}
