import { describe, expect, it } from "vitest";
import { readEvent } from "./event.ts";
import { groupingOf, withoutParticulars } from "./grouping.ts";

const frame = (name: string, more: object = {}) => ({
  function: name,
  module: "shop",
  in_app: true,
  lineno: 1,
  ...more,
});
const raised = (frames: readonly object[], more: object = {}) => ({
  exception: { values: [{ type: "TypeError", value: "x", stacktrace: { frames }, ...more }] },
});
const together = (one: object, other: object): boolean =>
  JSON.stringify(groupingOf(readEvent({ ...one }))) === JSON.stringify(groupingOf(readEvent({ ...other })));

const base = raised([frame("main"), frame("charge")]);

describe("events are one error", () => {
  it.each<[string, object, object]>([
    [
      "on another line",
      base,
      raised([frame("main", { lineno: 9 }), frame("charge", { lineno: 7, colno: 3 })]),
    ],
    ["with another text", base, raised([frame("main"), frame("charge")], { value: "y" })],
    [
      "below another library",
      base,
      raised([frame("run", { in_app: false }), frame("main"), frame("charge")]),
    ],
    [
      "after more recursion",
      base,
      raised([frame("main"), frame("charge"), frame("charge"), frame("charge")]),
    ],
    ["with other people and releases", { ...base, release: "1" }, { ...base, release: "2", user: { id: 1 } }],
    ["with another number in a message", { message: "Order 17 is lost" }, { message: "Order 4 is lost" }],
    [
      "with another value in its template",
      { logentry: { message: "No %s left", formatted: "No tea left" } },
      { logentry: { message: "No %s left", formatted: "No milk left" } },
    ],
    [
      "in a file that was built anew",
      raised([frame("a", { module: "", filename: "https://a.example/assets/index-BX3k9f2a.js?v=1" })]),
      raised([frame("a", { module: "", filename: "https://b.example/assets/index-C0aa77Qz.js" })]),
    ],
    ["that the program calls one", { message: "a", fingerprint: ["x"] }, { ...base, fingerprint: ["x"] }],
    ["as if nothing was said, with the default", base, { ...base, fingerprint: ["{{ default }}"] }],
  ])("%s", (_what, one, other) => {
    expect(together(one, other)).toBe(true);
  });
});

describe("events are different errors", () => {
  it.each<[string, object, object]>([
    ["of another type", base, raised([frame("main"), frame("charge")], { type: "RangeError" })],
    ["in another function", base, raised([frame("main"), frame("refund")])],
    ["in another module", base, raised([frame("main"), frame("charge", { module: "bank" })])],
    ["with another cause", base, { exception: { values: [{ type: "IOError" }, ...base.exception.values] } }],
    ["with another message", { message: "a" }, { message: "b" }],
    ["without a stack, of another text", raised([]), raised([], { value: "y" })],
    ["that the program calls different", { ...base, fingerprint: ["x"] }, { ...base, fingerprint: ["y"] }],
    ["of which one adds to the default", base, { ...base, fingerprint: ["{{default}}", "eu"] }],
    ["of different places with no more to say", { transaction: "a" }, { transaction: "b" }],
  ])("%s", (_what, one, other) => {
    expect(together(one, other)).toBe(false);
  });
});

it.each<[string, string]>([
  ["Order 17 of 3.50 is lost", "Order <n> of <n> is lost"],
  ["no 6f1c2a4e-1b2c-4d5e-8f90-123456789abc", "no <uuid>"],
  ["at 0x7ffee4c0", "at <hex>"],
  ["commit 8d393d1f00", "commit <hex>"],
  ["mail to ann@example.com", "mail to <address>"],
  ["decade and facade", "decade and facade"],
])("%j is %j without its particulars", (text, general) => {
  expect(withoutParticulars(text)).toBe(general);
});
