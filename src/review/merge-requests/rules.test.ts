import { describe, expect, it } from "vitest";
import {
  type DetailedMergeStatus,
  detailedMergeStatus,
  isDraft,
  type MergeFacts,
  readyTitle,
  tasksIn,
} from "./rules.ts";

const FACTS: MergeFacts = {
  state: "opened",
  mergeability: "clean",
  behind: true,
  mergeMethod: "merge",
  draft: false,
  blocks: [],
};

describe("detailedMergeStatus", () => {
  it.each<[string, Partial<MergeFacts>, DetailedMergeStatus]>([
    ["nothing is in the way", {}, "mergeable"],
    ["it is being merged", { state: "locked" }, "checking"],
    ["it is merged", { state: "merged" }, "not_open"],
    ["it is closed, whatever else", { state: "closed", mergeability: "conflict" }, "not_open"],
    ["a branch has moved", { mergeability: "unchecked", draft: true }, "unchecked"],
    ["a branch is gone", { mergeability: "missing" }, "commits_status"],
    ["there is nothing to merge", { mergeability: "empty" }, "commits_status"],
    ["the sides contradict each other, draft or not", { mergeability: "conflict", draft: true }, "conflict"],
    ["the work goes on", { draft: true, blocks: ["not_approved"] }, "draft_status"],
    ["approvals are missing", { blocks: ["not_approved"], mergeMethod: "ff" }, "not_approved"],
    [
      "a license is refused, approved or not",
      { blocks: ["not_approved", "security_policy_violations"] },
      "security_policy_violations",
    ],
    ["nobody has looked at its licenses", { blocks: ["unchecked"] }, "unchecked"],
    [
      "nobody has looked at what cannot be merged",
      { blocks: ["unchecked"], mergeability: "conflict" },
      "conflict",
    ],
    ["it has to be on top", { mergeMethod: "ff" }, "need_rebase"],
    ["it has to be on top, with a merge commit", { mergeMethod: "rebase_merge" }, "need_rebase"],
    ["it is on top", { mergeMethod: "ff", behind: false }, "mergeable"],
  ])("when %s", (_when, facts, status) => {
    expect(detailedMergeStatus({ ...FACTS, ...facts })).toBe(status);
  });
});

it.each(["Draft: pay once", "draft:x", "[Draft] x", " (draft) x"])("calls %s a draft", (title) => {
  expect(isDraft(title)).toBe(true);
});

it.each(["Drafting", "A draft: x", "WIP"])("calls %s no draft", (title) => {
  expect(isDraft(title)).toBe(false);
});

it.each([
  ["Draft: pay once", "pay once"],
  ["Draft: Draft: pay once", "pay once"],
  [" [Draft](draft) draft:x", "x"],
  ["Draft: draft", "draft"],
  ["Draft: ", "Untitled"],
])("calls %j no draft any more: %s", (title, ready) => {
  expect(readyTitle(title)).toBe(ready);
  expect(isDraft(ready)).toBe(false);
});

it("counts the tasks of a description", () => {
  expect(tasksIn("- [ ] one\n* [x] two\n  1. [X] three\n[ ] no\n- [y] no")).toEqual({
    count: 3,
    completed: 2,
  });
});
