import { expect, it } from "vitest";
import { describeEvent } from "./labels.ts";

it("the sentence of an audit event displays direction controls and placeholders in a name as plain text", () => {
  const details = { path: "team/shop", name: "\u202Eevil {user}", approvalsRequired: 2 };
  expect(describeEvent("approval_rule.created", JSON.stringify(details))).toBe(
    "created the approval rule [U+202E]evil (user) of team/shop, for 2",
  );
});
