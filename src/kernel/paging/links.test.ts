import { expect, it } from "vitest";
import { offsetLinks, offsetPagingIn } from "./links.ts";

it.each([
  ["3", 3],
  ["999", 500],
  ["0", 1],
  ["-1", 1],
  ["1e3", 1],
  ["", 1],
  [["2", "3"], 1],
])("the query %j requests the page number %i", (page, expected) => {
  expect(offsetPagingIn({ page }, 20)).toEqual({ kind: "offset", page: expected, perPage: 20 });
});

it.each([
  [
    { page: 1, shown: 20, total: 20 },
    { previous: null, next: null },
  ],
  [
    { page: 1, shown: 20, total: 21 },
    { previous: null, next: "/list?a=b&page=2" },
  ],
  [
    { page: 2, shown: 1, total: 21 },
    { previous: "/list?a=b", next: null },
  ],
  [
    { page: 3, shown: 20, total: null },
    { previous: "/list?a=b&page=2", next: "/list?a=b&page=4" },
  ],
  [
    { page: 3, shown: 19, total: null },
    { previous: "/list?a=b&page=2", next: null },
  ],
  [
    { page: 500, shown: 20, total: null },
    { previous: "/list?a=b&page=499", next: null },
  ],
])(
  "the pagination links for the page %j lead to the previous and next pages",
  ({ page, shown, total }, expected) => {
    const rows = Array.from({ length: shown });
    expect(offsetLinks({ kind: "offset", page, perPage: 20 }, { rows, total }, "/list", { a: "b" })).toEqual(
      expected,
    );
  },
);
