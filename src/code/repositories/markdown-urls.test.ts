import { describe, expect, it, vi } from "vitest";
import { renderMarkdown } from "@/kernel/markdown/markdown.ts";
import { isMarkdownName, repositoryUrls } from "./markdown-urls.ts";

const root = repositoryUrls({ project: 1, ref: "", path: "" });
const inFolder = repositoryUrls({ project: 1, ref: "feature/x", path: "docs/100% ü" });

describe("repositoryUrls", () => {
  it.each([
    ["docs/a.md", "/projects/1/-/blob/HEAD/docs/a.md"],
    ["./docs/../a b.md#L1", "/projects/1/-/blob/HEAD/a%20b.md#L1"],
    ["../../etc/passwd", "/projects/1/-/blob/HEAD/etc/passwd"],
    ["docs/?a=b", "/projects/1/-/blob/HEAD/docs"],
    ["%zz", null],
    ["/\\evil.example/x", null],
  ])("the link %s in a Markdown file in the root folder is resolved to the URL %s", (reference, url) => {
    expect(root.link(reference)).toBe(url);
  });

  it("relative links are resolved against the folder and the revision of the Markdown file", () => {
    expect(inFolder.link("a.md")).toBe("/projects/1/-/blob/feature/x/docs/100%25%20%C3%BC/a.md");
    expect(inFolder.link("/a.md")).toBe("/projects/1/-/blob/feature/x/a.md");
    expect(inFolder.picture("../a.png")).toBe("/projects/1/raw?ref=feature%2Fx&path=docs%2Fa.png");
  });

  it("a long folder path is encoded only once for each Markdown file", () => {
    const path = Array.from({ length: 40 }, () => "ü".repeat(100)).join("/");
    const encode = vi.spyOn(globalThis, "encodeURIComponent");
    const urls = repositoryUrls({ project: 1, ref: "", path });
    const text = Array.from({ length: 1_000 }, (_, index) => `[](/${index})`).join(" ");
    expect(renderMarkdown(text, { headingsBelow: 1, urls })).toContain("/blob/HEAD/999");
    expect(encode.mock.calls.length).toBeLessThan(5_000);
    encode.mockRestore();
  });

  it("picture URLs are returned only for files whose names have the extension of a picture", () => {
    expect(root.picture("a.svg")).toBe("/projects/1/raw?path=a.svg");
    expect(root.picture("a.js")).toBeNull();
    expect(root.picture("")).toBeNull();
  });

  it("the cache key of a rendered Markdown text is different for each project, revision and folder", () => {
    const locations = [
      { project: 1, ref: "", path: "" },
      { project: 2, ref: "", path: "" },
      { project: 1, ref: "a", path: "" },
      { project: 1, ref: "", path: "a" },
    ];
    expect(new Set(locations.map((location) => repositoryUrls(location).key)).size).toBe(4);
  });
});

it.each([
  ["README.md", true],
  ["a.MARKDOWN", true],
  ["md", false],
  ["a.md.js", false],
])("isMarkdownName(%j) returns %s", (path, expected) => {
  expect(isMarkdownName(path)).toBe(expected);
});
