import { expect, it } from "vitest";
import { policyDraftOf, policyTermsFrom, readPolicyForm } from "./schema.ts";

const TERMS = {
  name: "No copyleft",
  description: "",
  enabled: true,
  allowList: [],
  denyList: ["GPL-3.0-only", "AGPL-3.0-only"],
  approvalsRequired: 1,
};

it("policyTermsFrom returns the original policy for the form values that policyDraftOf returns", () => {
  expect(policyTermsFrom(policyDraftOf(TERMS))).toEqual(TERMS);
});

it("policyTermsFrom trims license names, and removes empty lines and names that differ only in case", () => {
  const draft = { ...policyDraftOf(TERMS), denyList: " GPL-3.0-only \r\n\r\ngpl-3.0-only\nISC" };
  expect(policyTermsFrom(draft)).toMatchObject({ denyList: ["GPL-3.0-only", "ISC"] });
});

it.each([
  ["name", "", "Enter a name."],
  ["name", "x".repeat(256), "Use at most 255 characters."],
  ["approvalsRequired", "101", "Enter a whole number from 0 to 100."],
  ["approvalsRequired", "", "Enter a whole number from 0 to 100."],
  ["denyList", "MIT, ISC", "Write each license on its own line: MIT, ISC"],
  ["allowList", "x".repeat(256), "Use at most 255 characters for the name of a license."],
  ["allowList", "M\u0007T", "Remove control characters from the names of licenses."],
])("policyTermsFrom reports an error in the field %s for %j", (field, value, problem) => {
  const outcome = policyTermsFrom({ ...policyDraftOf(TERMS), [field]: value });
  expect(outcome).toEqual({ problems: { [field]: [problem] } });
});

it("policyTermsFrom accepts a license name with a comma that the policy already contains", () => {
  const draft = { ...policyDraftOf(TERMS), denyList: "GNU GPL, version 3" };
  expect(policyTermsFrom(draft, ["GNU GPL, version 3"])).toMatchObject({ denyList: ["GNU GPL, version 3"] });
});

it("readPolicyForm returns an empty string for a form field that is missing or too long", () => {
  const form = new FormData();
  form.set("name", "x".repeat(60_001));
  const empty = { name: "", description: "", allowList: "", denyList: "", approvalsRequired: "" };
  expect(readPolicyForm(form)).toEqual({ ...empty, enabled: false });
});
