/**
 * A position in a list, directly before or after a row. The direction `next` selects the rows after the row,
 * and the direction `previous` selects the rows before the row.
 */
export type Cursor<Key> = Readonly<{ direction: "previous" | "next"; key: Key }>;

/** A page that is requested by its number. The first page has the number 1. */
export type OffsetPaging = Readonly<{ kind: "offset"; page: number; perPage: number }>;

/**
 * The rows before or after a cursor, or the first rows of the list. Reading a page takes the same time at
 * every position of the list.
 * @typeParam Key the sort key of the list.
 */
export type KeysetPaging<Key = number> = Readonly<{
  kind: "keyset";
  perPage: number;
  cursor: Cursor<Key> | null;
  /** Whether the list begins with the largest key. */
  descending: boolean;
  /** The page token of the row after which the page begins, in a list without keys. */
  pageToken?: string | null;
}>;

/** The requested page of a list. The rows are ordered by id unless the list defines another order. */
export type Paging = OffsetPaging | KeysetPaging;

/**
 * The rows of the requested page. The property `total` is null when the list was not counted. The property
 * `next` is the id of the last row before the next page. In a list without ids, `nextToken` identifies the
 * last row before the next page.
 */
export type Page<Row> = Readonly<{
  rows: readonly Row[];
  total: number | null;
  next: number | null;
  nextToken?: string | null;
}>;

/** A page of the rows before or after a cursor, with links in both directions. */
export type KeysetPage<Row> = Readonly<{ rows: readonly Row[]; hasPrevious: boolean; hasNext: boolean }>;

export const EMPTY_PAGE: Page<never> = { rows: [], total: 0, next: null };

/** The maximum number of rows that are counted. The rows of a longer list are not counted completely. */
export const COUNTED_MAX = 10_000;

/**
 * Returns the offset and the limit of a page for Prisma's `findMany`. For keyset paging, one additional row
 * shows whether there is a next page.
 */
export const windowOf = (paging: OffsetPaging | KeysetPaging<unknown>) =>
  paging.kind === "offset"
    ? { skip: (paging.page - 1) * paging.perPage, take: paging.perPage }
    : { skip: 0, take: paging.perPage + 1 };

/** Returns the first page of a list, by keyset. */
export const firstPage = (
  perPage: number,
  { descending }: Readonly<{ descending: boolean }>,
): KeysetPaging<never> => ({
  kind: "keyset",
  perPage,
  cursor: null,
  descending,
});

/**
 * Returns whether a keyset page is read from smaller to larger keys. A page before the cursor is read in the
 * reverse order of the list.
 */
export const isAscending = ({ cursor, descending }: KeysetPaging<unknown>): boolean =>
  descending === (cursor?.direction === "previous");

/**
 * Returns the query condition that selects the ids after or before the cursor of a keyset page, for Prisma's
 * `where`; an empty query condition for a page by number.
 */
export const keysetFilterOf = (paging: Paging) => {
  if (paging.kind === "offset" || paging.cursor === null) return {};
  return { id: isAscending(paging) ? { gt: paging.cursor.key } : { lt: paging.cursor.key } };
};

/**
 * Returns the sort direction of ids for a page: the direction of the cursor, or, for a page by number, the
 * direction of the list.
 */
export const directionOf = (paging: Paging, descending = false): "asc" | "desc" => {
  if (paging.kind === "keyset") return isAscending(paging) ? "asc" : "desc";
  return descending ? "desc" : "asc";
};

/**
 * Returns the value of Prisma's `orderBy` for a list that supports several sort orders. With keyset paging,
 * the list is always ordered by id.
 * @param column the column by which the list is ordered; rows with equal values are ordered by id.
 */
export function orderOf(paging: Paging, column: string, descending: boolean) {
  const direction = directionOf(paging, descending);
  const byId = { id: direction };
  return paging.kind === "keyset" || column === "id" ? [byId] : [{ [column]: direction }, byId];
}

/**
 * Builds a keyset page from the rows of a query.
 * @param fetched up to `perPage + 1` rows, in the order in which the page is read (`isAscending`).
 */
export function keysetPageFrom<Row>(
  { cursor, perPage }: KeysetPaging<unknown>,
  fetched: readonly Row[],
): KeysetPage<Row> {
  const hasMore = fetched.length > perPage;
  const rows = fetched.slice(0, perPage);
  return cursor?.direction === "previous"
    ? { rows: rows.toReversed(), hasPrevious: hasMore, hasNext: true }
    : { rows, hasPrevious: cursor !== null, hasNext: hasMore };
}

/**
 * Builds a page of a list from the rows that a store has read.
 * @param fetched the rows that were read with the result of `windowOf`.
 * @param count counts the whole list, up to `COUNTED_MAX + 1`. The function `count` is not called for a
 * keyset page. The function `count` is also not called if the rows already include the end of the list, or if
 * the position of the page shows that the list is too long to count. Counting the rows takes as long as the
 * search itself.
 */
export async function pageFrom<Row extends Readonly<{ id: number }>>(
  paging: Paging,
  fetched: Promise<readonly Row[]>,
  count: () => Promise<number>,
): Promise<Page<Row>> {
  const rows = await fetched;
  const ids = rows.map(({ id }) => id);
  return pageOf(paging, { ids, rows }, count);
}

/**
 * The ids of a page, and the rows with these ids. A row that another request deletes after the ids were read is
 * missing.
 */
type Fetched<Row> = Readonly<{ ids: readonly number[]; rows: readonly Row[] }>;

async function pageOf<Row extends Readonly<{ id: number }>>(
  paging: Paging,
  { ids, rows }: Fetched<Row>,
  count: () => Promise<number>,
): Promise<Page<Row>> {
  const { perPage } = paging;
  if (paging.kind === "offset") {
    const end = (paging.page - 1) * perPage + ids.length;
    const ends = ids.length < perPage && (ids.length > 0 || paging.page === 1);
    const isLong = ids.length > 0 && end > COUNTED_MAX;
    const total = ends || isLong ? end : await count();
    return { rows, total: total > COUNTED_MAX ? null : total, next: null };
  }
  if (ids.length <= perPage) return { rows, total: null, next: null };
  const next = ids[perPage - 1] ?? null;
  return { rows: rows.filter(({ id }) => id !== ids[perPage]), total: null, next };
}

/**
 * Reads the ids of a page first, and then the rows of the page. If there is no index for the sort order, the
 * database therefore sorts only ids, and reads whole rows only for the requested page.
 * @param read returns the rows with the given ids, in any order.
 */
async function rowsOf<Row extends Readonly<{ id: number }>>(
  page: readonly Readonly<{ id: number }>[] | Promise<readonly Readonly<{ id: number }>[]>,
  read: (ids: number[]) => Promise<readonly Row[]>,
): Promise<Fetched<Row>> {
  const ids = (await page).map(({ id }) => id);
  if (ids.length === 0) return { ids, rows: [] };
  const rows = new Map((await read(ids)).map((row) => [row.id, row]));
  return { ids, rows: ids.flatMap((id) => rows.get(id) ?? []) };
}

/**
 * Builds a keyset page from the ids of a query, and reads the rows with these ids.
 * @param fetched up to `perPage + 1` ids, in the order in which the page is read (`isAscending`).
 * @param read returns the rows with the given ids, in any order.
 */
export async function keysetPageById<Row extends Readonly<{ id: number }>>(
  paging: KeysetPaging<unknown>,
  fetched: readonly Readonly<{ id: number }>[],
  read: (ids: number[]) => Promise<readonly Row[]>,
): Promise<KeysetPage<Row>> {
  const page = keysetPageFrom(paging, fetched);
  return { ...page, rows: (await rowsOf(page.rows, read)).rows };
}

/**
 * Returns a page of a search. The matches of a search may be spread over the whole table. One scan of the
 * table therefore provides both the rows and the count, unless the page number is too high.
 * @param find returns ids in the order of the list.
 */
async function searchedPage<Row extends Readonly<{ id: number }>>(
  paging: Paging,
  find: (window: Readonly<{ skip: number; take: number }>) => Promise<readonly Readonly<{ id: number }>[]>,
  read: (ids: number[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const { skip, take } = windowOf(paging);
  if (paging.kind === "keyset" || skip + take > COUNTED_MAX)
    return pageOf(paging, await rowsOf(find({ skip, take }), read), async () =>
      (await find({ skip: COUNTED_MAX, take: 1 })).length > 0
        ? COUNTED_MAX + 1
        : (await find({ skip: 0, take: COUNTED_MAX })).length,
    );
  const matches = await find({ skip: 0, take: COUNTED_MAX + 1 });
  const { rows } = await rowsOf(matches.slice(skip, skip + take), read);
  return { rows, total: matches.length > COUNTED_MAX ? null : matches.length, next: null };
}

/**
 * Returns a page of a search or of a whole list. The function reads the ids of the page first, and then the
 * rows of the page.
 * @param list.isSearch whether the list may have few matches that are spread over the whole table.
 * @param list.count the same function as the parameter `count` of `pageFrom`.
 */
export const pageById = async <Row extends Readonly<{ id: number }>>(
  paging: Paging,
  list: Readonly<{
    isSearch: boolean;
    find: (window: Readonly<{ skip: number; take: number }>) => Promise<readonly Readonly<{ id: number }>[]>;
    read: (ids: number[]) => Promise<readonly Row[]>;
    count: () => Promise<number>;
  }>,
): Promise<Page<Row>> =>
  list.isSearch
    ? searchedPage(paging, list.find, list.read)
    : pageOf(paging, await rowsOf(list.find(windowOf(paging)), list.read), list.count);

/**
 * Returns a page of a short list that is in memory. For keyset paging, the result is the first page of the
 * list.
 */
export function partOf<Row>(rows: readonly Row[], paging: Paging): Page<Row> {
  const begin = paging.kind === "offset" ? (paging.page - 1) * paging.perPage : 0;
  return { rows: rows.slice(begin, begin + paging.perPage), total: rows.length, next: null };
}

/**
 * Returns a page of a list that is in memory and whose rows have unique names. The page begins at the
 * requested page number, or after the row that a page token identifies.
 * @returns null if the page token identifies no row.
 */
export function partByName<Row>(
  rows: readonly Row[],
  paging: Paging,
  nameOf: (row: Row) => string,
): Page<Row> | null {
  if (paging.kind === "offset") return partOf(rows, paging);
  const token = paging.pageToken ?? null;
  const before = token === null ? -1 : rows.findIndex((row) => tokenOf(nameOf(row)) === token);
  if (token !== null && before === -1) return null;
  const part = rows.slice(before + 1, before + 1 + paging.perPage);
  const last = part.at(-1);
  const hasMore = before + 1 + part.length < rows.length;
  return {
    rows: part,
    total: null,
    next: null,
    nextToken: hasMore && last !== undefined ? tokenOf(nameOf(last)) : null,
  };
}

const tokenOf = (name: string): string => Buffer.from(name).toString("base64url");
