import { expect, it } from "vitest";
import { COUNTED_MAX, orderOf, type Paging, pageById, pageFrom } from "./paging.ts";

const ids = (length: number) => Array.from({ length }, (_, at) => ({ id: at + 1 }));

/** Returns a list of `length` rows that records its queries. */
function listOf(length: number) {
  const queries: object[] = [];
  const find = async (window: Readonly<{ skip: number; take: number }>) => {
    queries.push(window);
    return ids(length).slice(window.skip, window.skip + window.take);
  };
  // The rows are returned in an arbitrary order, as a database may return rows.
  const read = async (wanted: number[]) => wanted.map((id) => ({ id })).toReversed();
  const count = async () => {
    throw new Error("A search is counted while its matches are read.");
  };
  return { queries, search: { isSearch: true, find, read, count } };
}

const numbered = (page: number, perPage: number): Paging => ({ kind: "offset", page, perPage });

it.each([
  ["the first page", 45, numbered(1, 20), [1, 20], 45],
  ["the last page", 45, numbered(3, 20), [41, 45], 45],
  ["an empty page", 45, numbered(4, 20), [], 45],
  ["a search without matches", 0, numbered(1, 20), [], 0],
  ["more matches than are counted", COUNTED_MAX + 1, numbered(2, 20), [21, 40], null],
  ["as many matches as are counted", COUNTED_MAX, numbered(2, 20), [21, 40], COUNTED_MAX],
  ["a page beyond the counted matches", COUNTED_MAX + 30, numbered(501, 20), [10_001, 10_020], null],
  ["an empty page beyond the counted matches", 45, numbered(501, 20), [], 45],
])(
  "a search by page number returns rows in the order of the ids, and counts the matches: %s",
  async (_what, length, paging, ends, total) => {
    const page = await pageById(paging, listOf(length).search);
    expect([page.rows.at(0)?.id, page.rows.at(-1)?.id].filter((id) => id !== undefined)).toEqual(ends);
    expect(page.total).toBe(total);
  },
);

it("a search by page number queries the table only once", async () => {
  const { queries, search } = listOf(45);
  await pageById(numbered(2, 20), search);
  expect(queries).toEqual([{ skip: 0, take: COUNTED_MAX + 1 }]);
});

it("a search by cursor continues after the id of the cursor", async () => {
  const paging = { kind: "keyset", perPage: 20, cursor: null, descending: false } as const;
  const page = await pageById(paging, listOf(45).search);
  expect([page.rows.length, page.total, page.next]).toEqual([20, null, 20]);
});

it.each([
  ["a page that shows that the list is too long", numbered(501, 20), 20, 0, null],
  ["a page that shows where the list ends", numbered(2, 20), 3, 0, 23],
  ["any other page number", numbered(2, 20), 20, 1, 77],
  ["an empty page", numbered(501, 20), 0, 1, 77],
])(
  "a list runs a count query only if the rows do not show the total: %s",
  async (_what, paging, length, times, total) => {
    let counted = 0;
    const count = async () => {
      counted += 1;
      return 77;
    };
    expect((await pageFrom(paging, Promise.resolve(ids(length)), count)).total).toBe(total);
    expect(counted).toBe(times);
  },
);

it.each([
  ["a page that is requested by number", numbered(1, 20), [{ name: "desc" }, { id: "desc" }]],
  [
    "a keyset page",
    { kind: "keyset", perPage: 20, cursor: null, descending: false } as const,
    [{ id: "asc" }],
  ],
])("orderOf returns the order of %s", (_what, paging, order) => {
  expect(orderOf(paging, "name", true)).toEqual(order);
});
