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
    ["nothing blocks the merge", {}, "mergeable"],
    ["a merge is in progress", { state: "locked" }, "checking"],
    ["the merge request is merged", { state: "merged" }, "not_open"],
    [
      "the merge request is closed and has conflicts",
      { state: "closed", mergeability: "conflict" },
      "not_open",
    ],
    ["a branch has moved", { mergeability: "unchecked", draft: true }, "unchecked"],
    ["a branch was deleted", { mergeability: "missing" }, "commits_status"],
    ["there is nothing to merge", { mergeability: "empty" }, "commits_status"],
    ["a draft has conflicts", { mergeability: "conflict", draft: true }, "conflict"],
    [
      "the merge request is a draft without enough approvals",
      { draft: true, blocks: ["not_approved"] },
      "draft_status",
    ],
    ["approvals are missing", { blocks: ["not_approved"], mergeMethod: "ff" }, "not_approved"],
    [
      "a license is denied and approvals are missing",
      { blocks: ["not_approved", "security_policy_violations"] },
      "security_policy_violations",
    ],
    ["the licenses are unchecked", { blocks: ["unchecked"] }, "unchecked"],
    [
      "the licenses are unchecked and the branches have conflicts",
      { blocks: ["unchecked"], mergeability: "conflict" },
      "conflict",
    ],
    ["a fast-forward needs a rebase", { mergeMethod: "ff" }, "need_rebase"],
    ["a semi-linear merge needs a rebase", { mergeMethod: "rebase_merge" }, "need_rebase"],
    [
      "the source branch is rebased and the project fast-forwards",
      { mergeMethod: "ff", behind: false },
      "mergeable",
    ],
  ])("detailedMergeStatus returns the expected merge status when %s", (_when, facts, status) => {
    expect(detailedMergeStatus({ ...FACTS, ...facts })).toBe(status);
  });
});

describe("isDraft", () => {
  it.each(["Draft: pay once", "draft:x", "[Draft] x", " (draft) x"])(
    "isDraft returns true for the title %s",
    (title) => {
      expect(isDraft(title)).toBe(true);
    },
  );

  it.each(["Drafting", "A draft: x", "WIP"])("isDraft returns false for the title %s", (title) => {
    expect(isDraft(title)).toBe(false);
  });
});

describe("readyTitle", () => {
  it.each([
    ["Draft: pay once", "pay once"],
    ["Draft: Draft: pay once", "pay once"],
    [" [Draft](draft) draft:x", "x"],
    ["Draft: draft", "draft"],
    ["Draft: ", "Untitled"],
  ])("readyTitle removes the draft prefixes of the title %j: %s", (title, ready) => {
    expect(readyTitle(title)).toBe(ready);
    expect(isDraft(ready)).toBe(false);
  });
});

describe("tasksIn", () => {
  it("tasksIn returns the number of all task list items in a description, and the number of completed items", () => {
    expect(tasksIn("- [ ] one\n* [x] two\n  1. [X] three\n[ ] no\n- [y] no")).toEqual({
      count: 3,
      completed: 2,
    });
  });
});
