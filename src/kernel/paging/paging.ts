/**
 * Which part of a list is asked for, in the order of ids unless the list says otherwise: the so-manieth page, or what
 * follows an id, which costs the same however far in.
 */
export type Paging =
  | Readonly<{ kind: "offset"; page: number; perPage: number }>
  | Readonly<{
      kind: "keyset";
      perPage: number;
      after: number | null;
      descending: boolean;
      /** The same as `after` for a list without ids. */
      pageToken?: string | null;
    }>;

/**
 * The rows asked for. `total` is null where nobody has counted; `next` is the id that the next part follows, or, in a
 * list without ids, `nextToken` names the row.
 */
export type Page<Row> = Readonly<{
  rows: readonly Row[];
  total: number | null;
  next: number | null;
  nextToken?: string | null;
}>;

export const EMPTY_PAGE: Page<never> = { rows: [], total: 0, next: null };

/** Lists that are longer are not counted to the end. */
export const COUNTED_MAX = 10_000;

/** What Prisma's `findMany` takes for a part. One row more than asked for tells whether there is a next part. */
export const windowOf = (paging: Paging) =>
  paging.kind === "offset"
    ? { skip: (paging.page - 1) * paging.perPage, take: paging.perPage }
    : { skip: 0, take: paging.perPage + 1 };

/** The condition on the id of a keyset part, for Prisma's `where`; none for a page by number. */
export const keysetFilterOf = (paging: Paging) => {
  if (paging.kind === "offset" || paging.after === null) return {};
  return { id: paging.descending ? { lt: paging.after } : { gt: paging.after } };
};

/** Which way a part goes by ids: that of its cursor, and for a page by number as the list does. */
export const directionOf = (paging: Paging, descending = false): "asc" | "desc" =>
  (paging.kind === "keyset" ? paging.descending : descending) ? "desc" : "asc";

/**
 * The order of a part of a list that can have several, for Prisma's `orderBy`: a part by key is in the order of ids.
 * @param column that the list is ordered by, and by ids where that is the same.
 */
export function orderOf(paging: Paging, column: string, descending: boolean) {
  const direction = directionOf(paging, descending);
  const byId = { id: direction };
  return paging.kind === "keyset" || column === "id" ? [byId] : [{ [column]: direction }, byId];
}

/**
 * A page from what a store read.
 * @param fetched through `windowOf`.
 * @param count counts the whole list, at most to `COUNTED_MAX + 1`; not asked for a keyset part, and not where the page
 * shows where the list ends, or that it is too long: to count what a search finds nowhere takes as long as to find it.
 */
export async function pageFrom<Row extends Readonly<{ id: number }>>(
  paging: Paging,
  fetched: Promise<readonly Row[]>,
  count: () => Promise<number>,
): Promise<Page<Row>> {
  if (paging.kind === "offset") {
    const rows = await fetched;
    const end = (paging.page - 1) * paging.perPage + rows.length;
    const ends = rows.length < paging.perPage && (rows.length > 0 || paging.page === 1);
    const isLong = rows.length > 0 && end > COUNTED_MAX;
    const total = ends || isLong ? end : await count();
    return { rows, total: total > COUNTED_MAX ? null : total, next: null };
  }
  const fetchedRows = await fetched;
  const rows = fetchedRows.slice(0, paging.perPage);
  return { rows, total: null, next: fetchedRows.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
}

/**
 * The rows of a page whose ids were found first: what no index orders is sorted as ids, and what is passed over is
 * never read, where whole rows would be.
 * @param read rows with these ids, in any order.
 */
async function rowsOf<Row extends Readonly<{ id: number }>>(
  page: Promise<readonly Readonly<{ id: number }>[]>,
  read: (ids: number[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const ids = (await page).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = new Map((await read(ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/**
 * A page of what a search finds, which may be little, spread over all that there is: the rows are looked for once, and
 * counted with that, unless the page lies too far in.
 * @param find ids in the order of the list.
 */
async function searchedPage<Row extends Readonly<{ id: number }>>(
  paging: Paging,
  find: (window: Readonly<{ skip: number; take: number }>) => Promise<readonly Readonly<{ id: number }>[]>,
  read: (ids: number[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const { skip, take } = windowOf(paging);
  if (paging.kind === "keyset" || skip + take > COUNTED_MAX)
    return pageFrom(paging, rowsOf(find({ skip, take }), read), async () =>
      (await find({ skip: COUNTED_MAX, take: 1 })).length > 0
        ? COUNTED_MAX + 1
        : (await find({ skip: 0, take: COUNTED_MAX })).length,
    );
  const matches = await find({ skip: 0, take: COUNTED_MAX + 1 });
  const rows = await rowsOf(Promise.resolve(matches.slice(skip, skip + take)), read);
  return { rows, total: matches.length > COUNTED_MAX ? null : matches.length, next: null };
}

/**
 * A page whose ids are found first, by a search or not.
 * @param list.isSearch whether what it finds may be little, spread over all that there is.
 * @param list.count as for `pageFrom`.
 */
export const pageById = <Row extends Readonly<{ id: number }>>(
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
    : pageFrom(paging, rowsOf(list.find(windowOf(paging)), list.read), list.count);

/** A part of a list that is short by nature and in memory as a whole; keyset is taken for its first page. */
export function partOf<Row>(rows: readonly Row[], paging: Paging): Page<Row> {
  const begin = paging.kind === "offset" ? (paging.page - 1) * paging.perPage : 0;
  return { rows: rows.slice(begin, begin + paging.perPage), total: rows.length, next: null };
}

/**
 * A part of a list in memory whose rows have unique names: by number, or the part that follows the row of a page token.
 * @returns null when the page token names no row.
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
