import { describe, expect, it } from "vitest";
import { pageOfGitlabUrl, splitReference } from "./gitlab-url.ts";

const page = (path: string, query = {}) => pageOfGitlabUrl(path.split("/"), query);

describe("pageOfGitlabUrl", () => {
  it.each([
    ["merge_requests", "merge_requests"],
    ["merge_requests/12", "merge_requests/12"],
    ["merge_requests/12/diffs", "merge_requests/12"],
    ["merge_requests/new", "merge_requests/new"],
    ["commit/0123456789abcdef0123456789abcdef01234567", "commits/0123456789abcdef0123456789abcdef01234567"],
    ["commit/0123456", "commits/0123456"],
    ["error_tracking", "errors"],
    ["error_tracking/7/details", "errors/7"],
    ["project_members", "members"],
    ["settings/repository", "settings/protected_branches"],
    ["edit", "settings"],
  ])("the GitLab path %s is converted to the path %s of a Gatehouse page", (url, expected) => {
    expect(page(url)).toBe(expected);
  });

  it("the converted URL of a merge request list contains the filter, and the converted URL of a new merge request contains the source branch", () => {
    expect(page("merge_requests", { state: "merged", search: "a b", scope: "all" })).toBe(
      "merge_requests?state=merged&search=a+b",
    );
    expect(page("merge_requests/new", { "merge_request[source_branch]": "feature/x" })).toBe(
      "merge_requests/new?source=feature%2Fx",
    );
  });

  it.each([
    ["tree/main/src", { at: "tree", segments: ["main", "src"] }],
    ["blob/main/src/a.js", { at: "file", segments: ["main", "src", "a.js"] }],
    ["raw/v1/a.png", { at: "raw", segments: ["v1", "a.png"] }],
    ["commits/main", { at: "commits", segments: ["main"] }],
    ["tree", { at: "tree", segments: [] }],
  ])("the GitLab path %s is converted to the URL of a page that shows source code", (url, expected) => {
    expect(page(url)).toEqual(expected);
  });

  it.each([
    "",
    "absent",
    "constructor",
    "merge_requests/x",
    "merge_requests/1/absent",
    "merge_requests/new/diffs",
    "commit",
    "commit/main",
    "commit/0123456/x",
    "settings",
    "settings/absent",
    "packages/1",
  ])("no Gatehouse page corresponds to the GitLab path %j", (url) => {
    expect(page(url)).toBeNull();
  });
});

describe("splitReference", () => {
  const exists = (name: string) => ["main", "feature", "feature/x", "a/b/c"].includes(name);
  it.each([
    ["main", "main", ""],
    ["main/src/a.js", "main", "src/a.js"],
    ["feature/x/src", "feature/x", "src"],
    ["feature/y", "feature", "y"],
    ["a/b/c/d/e", "a/b/c", "d/e"],
    ["0123456/a/b", "0123456", "a/b"],
    ["main/src/", "main", "src"],
    ["", "", ""],
  ])("the URL segments %s are split into the branch, tag or commit %j and the path %j", (url, ref, path) => {
    expect(splitReference(url.split("/"), exists)).toEqual({ ref, path });
  });

  it("only reference names with at most 20 segments are looked up", () => {
    const looked: string[] = [];
    splitReference(
      Array.from({ length: 1_000 }, () => "a"),
      (name) => looked.push(name) < 0,
    );
    expect(looked).toHaveLength(19);
  });
});
