import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { restoreDate } from "./original-date.ts";

const OriginalDate = Date;

it("the global Date is the original class again after Next has replaced the class", () => {
  createRequire(import.meta.url)("next/dist/server/node-environment-extensions/date.js");
  expect(globalThis.Date).not.toBe(OriginalDate);
  restoreDate(OriginalDate);
  expect(globalThis.Date).toBe(OriginalDate);
  expect(new Date(0).constructor).toBe(OriginalDate);
  expect(new Date(0)).toBeInstanceOf(OriginalDate);
});
