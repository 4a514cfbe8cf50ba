import { requireAdmin } from "@/identity/sessions/loaders";
import { systemDeps } from "@/kernel/deps/deps";
import { type Query, urlWithQuery } from "@/kernel/http/query";
import { keysetLinks, NO_LINKS, type PageLinks } from "@/kernel/paging/links";
import { EVENTS_PAGE } from "./export";
import { type Event, filterFrom, listEvents, type SearchProblems } from "./history";
import { type EventSearch, readEventPaging, readSearch, writeEventKey } from "./schema";

/** The data that the page of audit events shows. */
export type EventsPage = Readonly<{
  search: EventSearch;
  problems: SearchProblems;
  events: readonly Event[];
  pager: PageLinks;
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
    return { search, problems: filtered.problems, events: [], pager: NO_LINKS, now };
  const slice = await listEvents(deps, filtered.filter, readEventPaging(query));
  const pager = keysetLinks(slice, writeEventKey, EVENTS_PAGE, search);
  return { search, problems: {}, events: slice.rows, pager, now };
}
