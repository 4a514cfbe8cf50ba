import { expect, it } from "vitest";
import { NOTICES } from "../notices/templates.ts";
import { noticeOf } from "./rules.ts";

const subjectOf = (notice: ReturnType<typeof noticeOf>): string | null =>
  notice === null ? null : NOTICES[notice.kind].subject;

it("the notices about linked and unlinked accounts have different subjects", () => {
  const account = { provider: "github", account: "ada" };
  expect(subjectOf(noticeOf("identity.linked", { ...account, by: "user" }))).toBe(
    "An account at another provider was linked to your account",
  );
  expect(subjectOf(noticeOf("identity.unlinked", account))).toBe(
    "An account at another provider was unlinked from your account",
  );
});

it("the notices about used and replaced recovery codes have different subjects", () => {
  expect(subjectOf(noticeOf("recovery_code.used", { left: 9 }))).toBe(
    "A recovery code of your account was used",
  );
  expect(subjectOf(noticeOf("recovery_codes.renewed", {}))).toBe("Your recovery codes were replaced");
});
