import { expect, it } from "vitest";
import { type ByteRange, rangeOf } from "./range.ts";

it.each<[string | null, number, ByteRange | "unsatisfiable" | null]>([
  [null, 10, null],
  ["bytes=0-", 10, { begin: 0, end: 9 }],
  ["bytes=4-6", 10, { begin: 4, end: 6 }],
  ["bytes=4-99", 10, { begin: 4, end: 9 }],
  ["bytes=-3", 10, { begin: 7, end: 9 }],
  ["bytes=-99", 10, { begin: 0, end: 9 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=6-4", 10, null],
  ["bytes=0-1,4-5", 10, null],
  ["bytes=-", 10, null],
  ["lines=0-1", 10, null],
])("the Range header %s is parsed for a representation of %i bytes", (header, sizeBytes, range) => {
  expect(rangeOf(header, sizeBytes)).toEqual(range);
});
