import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";

/**
 * The maximum page number; larger numbers are refused, because the database would count through all rows
 * before the page.
 */
const PAGE_MAX = 500;

/** Returns the page number in a URL; the first page has the number 1. */
export function pageIn(query: Query): number {
  const text = textOf(query, "page");
  return /^[1-9]\d{0,2}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1;
}

/**
 * Returns the URLs of the previous and the next page; null for a page that does not exist.
 * @param list.total the number of rows; null if the rows were not counted. Without a count, a full page has a link to
 * a next page.
 */
export function pagesBeside(
  list: Readonly<{ page: number; perPage: number; shown: number; total: number | null }>,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Readonly<{ newer: string | null; older: string | null }> {
  const { page, perPage, shown, total } = list;
  const more = total === null ? shown === perPage : page * perPage < total;
  const at = (number: number) =>
    urlWithQuery(path, { ...parameters, page: number === 1 ? "" : String(number) });
  return {
    newer: page > 1 ? at(page - 1) : null,
    older: more && page < PAGE_MAX ? at(page + 1) : null,
  };
}
