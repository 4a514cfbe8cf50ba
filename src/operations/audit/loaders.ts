import { requireAdmin } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, urlWithQuery } from "@/kernel/http/query";
import { neighbours } from "@/kernel/paging/keyset";
import { EVENTS_PAGE } from "./export";
import { type Event, filterFrom, listEvents, type SearchProblems } from "./history";
import { type EventSearch, readEventCursor, readSearch, writeEventKey } from "./schema";

/** The content of the page of audit events. */
export type EventsPage = Readonly<{
  search: EventSearch;
  problems: SearchProblems;
  events: readonly Event[];
  pager: Readonly<{ newer: string | null; older: string | null }>;
  now: Date;
}>;

/** Loads one page of audit events, for an administrator. The page is empty if the filter matches no event. */
export async function loadEvents(query: Query): Promise<EventsPage> {
  const search = readSearch(query);
  await requireAdmin(urlWithQuery(EVENTS_PAGE, search));
  const deps = systemDeps();
  const now = deps.clock();
  const filtered = await filterFrom(deps, search);
  if ("problems" in filtered)
    return { search, problems: filtered.problems, events: [], pager: { newer: null, older: null }, now };
  const slice = await listEvents(deps, filtered.filter, readEventCursor(query));
  const pager = neighbours(slice, writeEventKey, (cursor) =>
    urlWithQuery(EVENTS_PAGE, { ...search, ...cursor }),
  );
  return { search, problems: {}, events: slice.rows, pager, now };
}
