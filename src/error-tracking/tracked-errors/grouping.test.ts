import { describe, expect, it } from "vitest";
import { completed } from "@/testing/completed.ts";
import { type ReportedEvent, readEvent } from "./event.ts";
import { groupingOf, withoutVariableParts } from "./grouping.ts";

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
  expect(withoutVariableParts(text)).toBe(general);
});

describe("a file's name", () => {
  const fileOf = (filename: string) =>
    groupingOf(readEvent(raised([frame("", { module: "", filename })]))).at(-1);

  it.each<[string, string]>([
    ["index-BX3k9f2a.js", "index-*.js"],
    ["/assets/index.BX3k-9f2a.js", "/assets/index.*.js"],
    ["https://a.example/my-long-name-2a.js?v=1#x", "/my-*.js"],
    ["webpack:///./src/order-lines.ts", "webpack:///./src/order-lines.ts"],
    ["/app/a-12345.js", "/app/a-12345.js"],
    ["/app-123456/main", "/app-123456/main"],
    ["a-1234567.", "a-1234567."],
    [`/${"a".repeat(200)}/main.js`, `${"a".repeat(92)}/main.js`],
  ])("%j is compared as %j", (filename, compared) => {
    expect(fileOf(filename)).toBe(`${compared} `);
  });

  it("is not looked for without end in a stack that recurses", () => {
    const deep = [frame("main"), ...Array.from({ length: 40 }, () => frame("walk"))];
    expect(together(raised(deep), raised(deep.slice(1)))).toBe(true);
  });
});

describe("is read in proportion to its length", () => {
  const event = readEvent({
    exception: {
      values: [1, 2, 3].map(() => ({
        type: "E",
        stacktrace: { frames: Array.from({ length: 60 }, () => frame("", { module: "" })) },
      })),
    },
  });
  /** The same event, in files whose names no length limits. */
  const inFiles = (file: (at: number) => string): ReportedEvent => ({
    ...event,
    payload: {
      ...event.payload,
      exceptions: event.payload.exceptions.map((exception) => ({
        ...exception,
        frames: exception.frames.map((one, at) => ({ ...one, file: file(at) })),
      })),
    },
  });
  // Squared work would be a hundred thousand million steps for each name.
  const long = (letter: string) => letter.repeat(400_000);

  it.each<[string, (at: number) => string]>([
    ["where files are all dashes", () => `${long("-")}1`],
    ["where different files are all dashes", (at) => `${long("-")}${at}`],
    ["where dashes stand before the extension", (at) => `${long("-")}${at}.`],
    ["where files are all queries", (at) => `${long("?")}${at}\n`],
  ])("%s", (_what, file) => {
    expect(completed(() => groupingOf(inFiles(file))).join("").length).toBeLessThan(10_000);
  });

  it("where a text could be an address from each character on", () => {
    const text = "a.".repeat(500_000);
    expect(completed(() => withoutVariableParts(text))).toBe(text.slice(0, 300));
  });
});
