import { expect, it } from "vitest";
import { countIn, readRuleForm, usernamesIn } from "./schema.ts";

it.each<[string, readonly string[]]>([
  ["", []],
  [" , ,\n", []],
  ["ann", ["ann"]],
  ["@ann,bob  carol\r\n@dan", ["ann", "bob", "carol", "dan"]],
  ["ann, Ann bob", ["Ann", "bob"]],
  ["@", []],
])("usernamesIn parses the usernames in the field %j", (typed, names) => {
  expect(usernamesIn(typed)).toEqual(names);
});

it.each<[string, number | null]>([
  ["0", 0],
  ["100", 100],
  ["101", null],
  ["", null],
  ["-1", null],
  ["1.5", null],
  ["1e1", null],
  ["many", null],
])("countIn parses %j as a number of approvals: %s", (typed, count) => {
  expect(countIn(typed)).toBe(count);
});

it("readRuleForm returns an empty string for a form field that is missing, is too long, or contains a file", () => {
  const form = new FormData();
  form.set("name", "x".repeat(10_001));
  form.set("usernames", new Blob(["ann"]));
  expect(readRuleForm(form)).toEqual({ name: "", approvalsRequired: "", usernames: "" });
});
