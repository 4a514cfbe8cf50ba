import { expect, it } from "vitest";
import { ids } from "./fields.ts";

it.each<[string, readonly number[] | null]>([
  ["1,2", [1, 2]],
  [" 3 , 4 ", [3, 4]],
  ["", []],
  ["0", []],
  ["5,5", [5]],
  ["1,,2", null],
  ["1 2", null],
  ["x", null],
  // A list has a maximum length.
  [`${" ".repeat(5_000)}1`, null],
])("ids reads the list %j", (list, expected) => {
  expect(ids.safeParse(list).data ?? null).toEqual(expected);
});
