import { type Query, textOf } from "@/kernel/http/query";

/**
 * The position of a page in a list. Rows `before` a key are older, and rows `after` a key are newer. If the position
 * is null, the page is the newest page.
 */
export type Cursor<Key> = Readonly<{ side: "before" | "after"; key: Key }> | null;

/** A page of a list, newest row first. */
export type Slice<Row> = Readonly<{ rows: readonly Row[]; hasNewer: boolean; hasOlder: boolean }>;

/**
 * Builds a page from the rows of a query.
 * @param fetched up to `most + 1` rows: newest first, or oldest first for a cursor to newer rows.
 */
export function sliceOf<Row>(fetched: readonly Row[], most: number, cursor: Cursor<unknown>): Slice<Row> {
  const more = fetched.length > most;
  const rows = fetched.slice(0, most);
  return cursor?.side === "after"
    ? { rows: rows.toReversed(), hasNewer: more, hasOlder: true }
    : { rows, hasNewer: cursor !== null, hasOlder: more };
}

/**
 * Returns the condition on the id for the rows on the requested side of a cursor, and the order of the query.
 */
export const idFilterOf = (cursor: Cursor<number>) =>
  cursor?.side === "after"
    ? ({ where: { id: { gt: cursor.key } }, orderBy: { id: "asc" } } as const)
    : ({ where: cursor === null ? {} : { id: { lt: cursor.key } }, orderBy: { id: "desc" } } as const);

/**
 * Returns the cursor of a query, `before=KEY` or `after=KEY`; null for a query without a cursor or with a key
 * that `read` does not accept.
 */
export function cursorIn<Key>(query: Query, read: (text: string) => Key | null): Cursor<Key> {
  for (const side of ["before", "after"] as const) {
    const key = read(textOf(query, side));
    if (key !== null) return { side, key };
  }
  return null;
}

/** Returns the URLs of the previous and the next page; null for a page that does not exist. */
export function neighbours<Row>(
  { rows, hasNewer, hasOlder }: Slice<Row>,
  keyOf: (row: Row) => string,
  addressWith: (cursor: Readonly<Record<string, string>>) => string,
): Readonly<{ newer: string | null; older: string | null }> {
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    newer: hasNewer && first !== undefined ? addressWith({ after: keyOf(first) }) : null,
    older: hasOlder && last !== undefined ? addressWith({ before: keyOf(last) }) : null,
  };
}
