import { expect, it } from "vitest";
import { readEmail } from "./schema.ts";

it.each([
  [" ann@example.com ", "ann@example.com"],
  [null, ""],
  ["a".repeat(1_001), ""],
])("the form of an invitation with the e-mail address %j is read as %j", (value, expected) => {
  const form = new FormData();
  if (value !== null) form.set("email", value);
  expect(readEmail(form)).toBe(expected);
});
