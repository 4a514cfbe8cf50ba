import { type Query, textOf, urlWithQuery } from "./keyset";

/** Nobody leafs further; a database would count through all that lies before. */
const PAGE_MAX = 500;

/** The page of a numbered list that an address asks for, from 1. */
export function pageIn(query: Query): number {
  const text = textOf(query, "page");
  return /^[1-9]\d{0,2}$/.test(text) ? Math.min(Number(text), PAGE_MAX) : 1;
}

/**
 * The addresses of the pages before and after one; null where there is none.
 * @param list.total null where nobody has counted: then a full page has another one behind it.
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
