import { expect, it } from "vitest";
import { parseWorkerCount } from "./worker-count.ts";

it.each([
  ["1", 1],
  ["2", 2],
  ["128", 128],
  ["auto", 6],
])("the number of workers %j is parsed as %i on a machine with six cores", (text, count) => {
  expect(parseWorkerCount(text, 6)).toBe(count);
});

it.each(["", "0", "-1", "1.5", "129", "2 ", "0x2", "1e1", "all", "Auto", "9999"])(
  "the number of workers %j is refused",
  (text) => {
    expect(parseWorkerCount(text, 6)).toBeNull();
  },
);
