import { expect, it } from "vitest";
import { readEmail } from "./schema.ts";

it.each([
  [" ann@example.com ", "ann@example.com"],
  [null, ""],
  ["a".repeat(1_001), ""],
])("the invitation form parses the e-mail address %j as %j", (value, expected) => {
  const form = new FormData();
  if (value !== null) form.set("email", value);
  expect(readEmail(form)).toBe(expected);
});
