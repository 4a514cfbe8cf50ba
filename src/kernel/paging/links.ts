import { type Query, textOf, urlWithQuery } from "@/kernel/http/query";
import type { Cursor, KeysetPage, KeysetPaging, OffsetPaging } from "./paging";

/** The URLs of the previous and the next page of a list; null for a page that does not exist. */
export type PageLinks = Readonly<{ previous: string | null; next: string | null }>;

/** The links of a list with a single page. */
export const NO_LINKS: PageLinks = { previous: null, next: null };

/**
 * The maximum page number; larger numbers are refused, because the database would have to read all rows
 * before the requested page.
 */
const PAGE_MAX = 500;

/** Returns the page number in a query parameter. The first page has the number 1. */
export function offsetPagingIn(query: Query, perPage: number, parameter = "page"): OffsetPaging {
  const text = textOf(query, parameter);
  const page = /^[1-9]\d{0,2}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1;
  return { kind: "offset", page, perPage };
}

/**
 * Returns the links to the previous and the next page of a page that is requested by number.
 * @param shown the rows of the page, and the number of all rows; null if the rows were not counted. Without a count, a
 * full page has a link to a next page.
 */
export function offsetLinks(
  { page, perPage }: OffsetPaging,
  shown: Readonly<{ rows: readonly unknown[]; total: number | null }>,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): PageLinks {
  const hasMore = shown.total === null ? shown.rows.length === perPage : page * perPage < shown.total;
  const at = (number: number) =>
    urlWithQuery(path, { ...parameters, page: number === 1 ? "" : String(number) });
  return {
    previous: page > 1 ? at(page - 1) : null,
    next: hasMore && page < PAGE_MAX ? at(page + 1) : null,
  };
}

/**
 * Returns the page that a query requests from a list whose newest row comes first. The parameter `before=KEY`
 * requests older rows, and `after=KEY` requests newer rows. Without a key, or with a key that `read` does not
 * accept, the result is the page with the newest rows.
 */
export function keysetPagingIn<Key>(
  query: Query,
  perPage: number,
  read: (text: string) => Key | null,
): KeysetPaging<Key> {
  return { kind: "keyset", perPage, cursor: cursorIn(query, read), descending: true };
}

function cursorIn<Key>(query: Query, read: (text: string) => Key | null): Cursor<Key> | null {
  const before = read(textOf(query, "before"));
  if (before !== null) return { direction: "next", key: before };
  const after = read(textOf(query, "after"));
  return after === null ? null : { direction: "previous", key: after };
}

/**
 * Returns the links to the pages before and after a keyset page. The function `keysetPagingIn` parses the
 * queries of these links.
 */
export function keysetLinks<Row>(
  { rows, hasPrevious, hasNext }: KeysetPage<Row>,
  keyOf: (row: Row) => string,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): PageLinks {
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    previous:
      hasPrevious && first !== undefined ? urlWithQuery(path, { ...parameters, after: keyOf(first) }) : null,
    next: hasNext && last !== undefined ? urlWithQuery(path, { ...parameters, before: keyOf(last) }) : null,
  };
}
