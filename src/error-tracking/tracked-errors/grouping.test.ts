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
const haveSameKey = (a: object, b: object): boolean =>
  JSON.stringify(groupingOf(readEvent({ ...a }))) === JSON.stringify(groupingOf(readEvent({ ...b })));

const base = raised([frame("main"), frame("charge")]);

describe("an exception in code without a named function", () => {
  const topLevel = (name: string, value: string) =>
    raised([frame("run", { in_app: false }), frame(name)], { value });

  it.each(["<anonymous>", "?", "", "<module>", "Object.<anonymous>", "<lambda>"])(
    "exceptions in code without a named function are separate tracked errors if their messages differ (function name %j)",
    (name) => {
      expect(haveSameKey(topLevel(name, "No tea"), topLevel(name, "No milk"))).toBe(false);
      expect(haveSameKey(topLevel(name, "Order 17 is lost"), topLevel(name, "Order 4 is lost"))).toBe(true);
    },
  );

  it("exceptions with different messages are the same tracked error if a stack frame of the application names a function", () => {
    const nested = (value: string) => raised([frame("main"), frame("<anonymous>")], { value });
    expect(haveSameKey(nested("No tea"), nested("No milk"))).toBe(true);
  });
});

describe("events with the same cause", () => {
  it.each<[string, object, object]>([
    [
      "when the line number differs",
      base,
      raised([frame("main", { lineno: 9 }), frame("charge", { lineno: 7, colno: 3 })]),
    ],
    ["when the exception text differs", base, raised([frame("main"), frame("charge")], { value: "y" })],
    [
      "when an outer library frame differs",
      base,
      raised([frame("run", { in_app: false }), frame("main"), frame("charge")]),
    ],
    [
      "when a recursion is deeper",
      base,
      raised([frame("main"), frame("charge"), frame("charge"), frame("charge")]),
    ],
    ["when users and releases differ", { ...base, release: "1" }, { ...base, release: "2", user: { id: 1 } }],
    ["when a number in the message differs", { message: "Order 17 is lost" }, { message: "Order 4 is lost" }],
    [
      "when a parameter of the template differs",
      { logentry: { message: "No %s left", formatted: "No tea left" } },
      { logentry: { message: "No %s left", formatted: "No milk left" } },
    ],
    [
      "when a parameter of the template differs and no formatted message is sent",
      { logentry: { message: "No %s left", params: ["tea"] } },
      { logentry: { message: "No %s left", params: ["milk"] } },
    ],
    [
      "when a number in the formatted message differs",
      { message: { formatted: "Order 17 is lost" } },
      { message: { formatted: "Order 4 is lost" } },
    ],
    [
      "when the content hash of the file name differs",
      raised([frame("a", { module: "", filename: "https://a.example/assets/index-BX3k9f2a.js?v=1" })]),
      raised([frame("a", { module: "", filename: "https://b.example/assets/index-C0aa77Qz.js" })]),
    ],
    [
      "when the program sets the same fingerprint",
      { message: "a", fingerprint: ["x"] },
      { ...base, fingerprint: ["x"] },
    ],
    [
      "when the fingerprint is only the default placeholder",
      base,
      { ...base, fingerprint: ["{{ default }}"] },
    ],
  ])("events have the same grouping key %s", (_what, a, b) => {
    expect(haveSameKey(a, b)).toBe(true);
  });
});

describe("events with different causes", () => {
  it.each<[string, object, object]>([
    ["when the type differs", base, raised([frame("main"), frame("charge")], { type: "RangeError" })],
    ["when the function differs", base, raised([frame("main"), frame("refund")])],
    ["when the module differs", base, raised([frame("main"), frame("charge", { module: "bank" })])],
    [
      "when the cause differs",
      base,
      { exception: { values: [{ type: "IOError" }, ...base.exception.values] } },
    ],
    ["when the message differs", { message: "a" }, { message: "b" }],
    [
      "when only the formatted message differs",
      { logentry: { formatted: "Disk is full" } },
      { logentry: { formatted: "Payment failed" } },
    ],
    ["when the text of exceptions without a stack differs", raised([]), raised([], { value: "y" })],
    [
      "when the program sets different fingerprints",
      { ...base, fingerprint: ["x"] },
      { ...base, fingerprint: ["y"] },
    ],
    ["when a fingerprint extends the default", base, { ...base, fingerprint: ["{{default}}", "eu"] }],
    ["when only their transactions differ", { transaction: "a" }, { transaction: "b" }],
  ])("events have different grouping keys %s", (_what, a, b) => {
    expect(haveSameKey(a, b)).toBe(false);
  });
});

describe("withoutVariableParts", () => {
  it.each<[string, string]>([
    ["Order 17 of 3.50 is lost", "Order <n> of <n> is lost"],
    ["no 6f1c2a4e-1b2c-4d5e-8f90-123456789abc", "no <uuid>"],
    ["at 0x7ffee4c0", "at <hex>"],
    ["commit 8d393d1f00", "commit <hex>"],
    ["mail to ann@example.com", "mail to <address>"],
    ["decade and facade", "decade and facade"],
  ])("withoutVariableParts replaces the variable parts of the message %j: %j", (text, general) => {
    expect(withoutVariableParts(text)).toBe(general);
  });
});

describe("a file name", () => {
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
  ])("a file name such as %j is normalized to %j", (filename, compared) => {
    expect(fileOf(filename)).toBe(`${compared} `);
  });

  it("the grouping key contains a limited number of frames of a recursive stack", () => {
    const deep = [frame("main"), ...Array.from({ length: 40 }, () => frame("walk"))];
    expect(haveSameKey(raised(deep), raised(deep.slice(1)))).toBe(true);
  });
});

describe("grouping", () => {
  const event = readEvent({
    exception: {
      values: [1, 2, 3].map(() => ({
        type: "E",
        stacktrace: { frames: Array.from({ length: 60 }, () => frame("", { module: "" })) },
      })),
    },
  });
  /**
   * Returns the event with other file names in its stack frames. The length of the new file names is not
   * limited.
   */
  const inFiles = (file: (at: number) => string): ReportedEvent => ({
    ...event,
    payload: {
      ...event.payload,
      exceptions: event.payload.exceptions.map((exception) => ({
        ...exception,
        frames: exception.frames.map((a, at) => ({ ...a, file: file(at) })),
      })),
    },
  });
  // For each of these file names, a function with quadratic time would need 10^11 steps.
  const long = (letter: string) => letter.repeat(400_000);

  it.each<[string, (at: number) => string]>([
    ["when all files consist of the same dashes", () => `${long("-")}1`],
    ["when different files consist of dashes", (at) => `${long("-")}${at}`],
    ["when dashes precede the extension", (at) => `${long("-")}${at}.`],
    ["when file names consist of query separators", (at) => `${long("?")}${at}\n`],
  ])("the grouping of an event takes linear time %s", (_what, file) => {
    expect(completed(() => groupingOf(inFiles(file))).join("").length).toBeLessThan(10_000);
  });

  it("the grouping of an event takes linear time when every character of a text could start an e-mail address", () => {
    const text = "a.".repeat(500_000);
    expect(completed(() => withoutVariableParts(text))).toBe(text.slice(0, 300));
  });
});
