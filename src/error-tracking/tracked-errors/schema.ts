import { type Query, textOf } from "@/kernel/paging/keyset";
import { type ErrorSort, type ErrorStatus, RANGES, type Range, SORTS, STATUSES } from "./rules";

/** What a list of errors shows, as its address says it. */
export type ErrorSearch = Readonly<{
  status: ErrorStatus | "all";
  environment: string;
  search: string;
  sort: ErrorSort;
  range: Range;
}>;

const SEARCH_CHARACTERS_MAX = 100;

/** Reads the address of a list of errors; what is missing or unknown is as it is at first. */
export function readErrorSearch(query: Query): ErrorSearch {
  const status = textOf(query, "status");
  return {
    status: status === "all" ? status : (STATUSES.find((value) => value === status) ?? "unresolved"),
    environment: textOf(query, "environment").slice(0, SEARCH_CHARACTERS_MAX),
    search: textOf(query, "search").slice(0, SEARCH_CHARACTERS_MAX),
    sort: SORTS.find((value) => value === textOf(query, "sort")) ?? "last_seen",
    range: readRange(query),
  };
}

export const readRange = (query: Query): Range =>
  RANGES.find((value) => value === textOf(query, "range")) ?? "24h";

/** The parameters that say the same; what is as it is at first is left out. */
export const parametersOf = (search: ErrorSearch) => ({
  status: search.status === "unresolved" ? "" : search.status,
  environment: search.environment,
  search: search.search,
  sort: search.sort === "last_seen" ? "" : search.sort,
  range: search.range === "24h" ? "" : search.range,
});

/** The status that a button asks for; null for what is none. */
export const readStatus = (form: FormData): ErrorStatus | null =>
  STATUSES.find((status) => status === form.get("status")) ?? null;
