import { describe, expect, it } from "vitest";
import { type ApproverFacts, type ApproverRefusal, approverRefusal, BY_DEFAULT } from "./rules.ts";

const reviewer: ApproverFacts = { role: "developer", state: "opened", isAuthor: false, isCommitter: false };
const refusing = { ...BY_DEFAULT, committersApprovalRefused: true };

describe("approverRefusal", () => {
  it.each<[string, Partial<ApproverFacts>, ApproverRefusal | null]>([
    ["a developer", {}, null],
    ["a reporter", { role: "reporter" }, "not_allowed"],
    ["a user without a role", { role: null }, "not_allowed"],
    ["a developer during a merge", { state: "locked" }, "not_open"],
    ["a developer after the merge", { state: "merged" }, "not_open"],
    ["a developer after the merge request is closed", { state: "closed" }, "not_open"],
    ["the author", { isAuthor: true }, "own"],
    ["a committer", { isCommitter: true }, "committer"],
    ["an author who is a committer", { isAuthor: true, isCommitter: true }, "own"],
  ])("approverRefusal returns whether %s may approve", (_user, facts, refusal) => {
    expect(approverRefusal({ ...reviewer, ...facts }, refusing)).toBe(refusal);
  });

  it("authors and committers may approve if the approval settings permit their approvals", () => {
    const facts = { ...reviewer, isAuthor: true, isCommitter: true };
    expect(approverRefusal(facts, { ...BY_DEFAULT, authorApproval: true })).toBeNull();
    expect(approverRefusal({ ...reviewer, isCommitter: true }, BY_DEFAULT)).toBeNull();
  });
});
