import { type Query, readId, textOf } from "@/kernel/http/query";
import { type ErrorSort, type ErrorStatus, RANGES, type Range, SORTS, STATUSES } from "./rules";

/** The filters of the list of tracked errors, with the names of the query parameters. */
export type ErrorSearch = Readonly<{
  status: ErrorStatus | "all";
  environment: string;
  search: string;
  sort: ErrorSort;
  range: Range;
}>;

const SEARCH_CHARACTERS_MAX = 100;

/** Reads the filters from the query of the URL. Defaults replace missing and unknown values. */
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

/** Returns the query parameters of a search. Parameters whose value is the default are omitted. */
export const parametersOf = (search: ErrorSearch) => ({
  status: search.status === "unresolved" ? "" : search.status,
  environment: search.environment,
  search: search.search,
  sort: search.sort === "last_seen" ? "" : search.sort,
  range: search.range === "24h" ? "" : search.range,
});

/** Returns the status that the clicked button of the form sets; null if the value is not a status. */
export const readStatus = (form: FormData): ErrorStatus | null =>
  STATUSES.find((status) => status === form.get("status")) ?? null;

/** Converts a search into the filter that the service expects. */
export const filterOf = ({ status, environment, search }: ErrorSearch) => ({
  status: status === "all" ? null : status,
  environment: environment || null,
  query: search || null,
});

/**
 * The maximum number of tracked errors that one form changes. A page of the list shows fewer tracked errors
 * than this maximum.
 */
const SELECTED_MAX = 100;

/**
 * Reads the form that changes the selected tracked errors: their ids, the new status, and the filters of the
 * list.
 */
export function readSelection(form: FormData): Readonly<{
  errorIds: readonly number[];
  status: ErrorStatus | null;
  /** The time at which the page was rendered; null if the form does not contain the time. */
  shownAt: Date | null;
  filters: Query;
}> {
  const texts = [...form].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  const errorIds = texts.flatMap(([name, value]) => (name === "error" ? (readId(value) ?? []) : []));
  return {
    errorIds: [...new Set(errorIds)].slice(0, SELECTED_MAX),
    status: STATUSES.find((status) => status === form.get("to")) ?? null,
    shownAt: readTime(form),
    filters: Object.fromEntries(texts.filter(([name]) => name !== "error")),
  };
}

function readTime(form: FormData): Date | null {
  const value = form.get("shown_at");
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? new Date(Number(value)) : null;
}
