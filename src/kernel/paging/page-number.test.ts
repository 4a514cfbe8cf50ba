import { expect, it } from "vitest";
import { pageIn, pagesBeside } from "./page-number.ts";

it.each([
  ["3", 3],
  ["999", 500],
  ["0", 1],
  ["-1", 1],
  ["1e3", 1],
  ["", 1],
  [["2", "3"], 1],
])("the query %j requests the page number %i", (page, expected) => {
  expect(pageIn({ page })).toBe(expected);
});

it.each([
  [
    { page: 1, shown: 20, total: 20 },
    { newer: null, older: null },
  ],
  [
    { page: 1, shown: 20, total: 21 },
    { newer: null, older: "/list?a=b&page=2" },
  ],
  [
    { page: 2, shown: 1, total: 21 },
    { newer: "/list?a=b", older: null },
  ],
  [
    { page: 3, shown: 20, total: null },
    { newer: "/list?a=b&page=2", older: "/list?a=b&page=4" },
  ],
  [
    { page: 3, shown: 19, total: null },
    { newer: "/list?a=b&page=2", older: null },
  ],
  [
    { page: 500, shown: 20, total: null },
    { newer: "/list?a=b&page=499", older: null },
  ],
])("the links of the query %j lead to the previous and next pages", (list, expected) => {
  expect(pagesBeside({ ...list, perPage: 20 }, "/list", { a: "b" })).toEqual(expected);
});
