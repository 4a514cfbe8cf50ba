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

/** The query parameters of a page, in the format of Next. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the trimmed value of a parameter that was sent once; otherwise an empty string. PostgreSQL refuses
 * U+0000 in every text.
 */
export const textOf = (query: Query, name: string): string => {
  const value = query[name];
  return typeof value === "string" ? value.replaceAll("\0", "").trim() : "";
};

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

/** Parses an id from a URL; returns null for any other text. */
export const readId = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);

/** Returns the URL of `path` with those query parameters that are not empty. */
export function urlWithQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  return query.size === 0 ? path : `${path}?${query}`;
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

/**
 * Returns the id in a hidden field of a form; for any other value, returns an empty string, which matches no
 * row.
 */
export function readReference(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" && readId(value) !== null ? value : "";
}
