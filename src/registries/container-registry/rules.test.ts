import { describe, expect, it } from "vitest";
import type { Role } from "@/access/roles.ts";
import type { Visibility } from "@/access/visibility.ts";
import { completed } from "@/testing/completed.ts";
import {
  expiredTags,
  grantsRegistryAccess,
  isImagePath,
  mayUseImages,
  nameInProject,
  parseAgeMs,
  parseImageScopes,
  projectPathsOf,
} from "./rules.ts";
import { tagPattern } from "./tag-pattern.ts";

describe("parseImageScopes", () => {
  it.each<[string, readonly string[], readonly object[]]>([
    ["one scope", ["repository:a/b:pull"], [{ path: "a/b", actions: ["pull"] }]],
    [
      "several parameters and lists",
      ["repository:a/b:push,pull repository:a/c:pull", "repository:a/d/e:delete"],
      [
        { path: "a/b", actions: ["pull", "push"] },
        { path: "a/c", actions: ["pull"] },
        { path: "a/d/e", actions: ["delete"] },
      ],
    ],
    [
      "a repeated name",
      ["repository:a/b:pull", "repository:a/b:push,pull"],
      [{ path: "a/b", actions: ["pull", "push"] }],
    ],
    [
      "unknown actions",
      ["repository:a/b:*", "repository:a/c:pull,admin"],
      [
        { path: "a/b", actions: [] },
        { path: "a/c", actions: ["pull"] },
      ],
    ],
    [
      "other resource types",
      ["registry:catalog:*", "repository(plugin):a/b:pull", "", "  ", "repository:a/b"],
      [],
    ],
    [
      "malicious names",
      ["../a", "a/../b", "a//b", "/a/b", "a/b/", "A/b", "a%2fb", "a/b\\c", "a/-b", "h:5000/a/b", "é/b"].map(
        (path) => `repository:${path}:pull`,
      ),
      [],
    ],
  ])("parseImageScopes parses the scope parameters of a registry token: %s", (_what, texts, expected) => {
    expect(parseImageScopes(texts)).toEqual(expected);
  });

  it("a long repository name is parsed in linear time", () => {
    expect(isImagePath(`a/${"b-".repeat(120)}c`)).toBe(true);
    expect(isImagePath(`a/${"b-".repeat(130)}c`)).toBe(false);
    expect(isImagePath(`a${"-".repeat(250)}`)).toBe(false);
  });
});

describe("projectPathsOf", () => {
  it("projectPathsOf returns the full paths of the projects that can contain an image, longest path first", () => {
    expect(projectPathsOf("a/b/c/d")).toEqual(["a/b/c/d", "a/b/c", "a/b"]);
    expect(projectPathsOf("a")).toEqual([]);
    expect([nameInProject("a/b", "a/b"), nameInProject("a/b/c/d", "a/b")]).toEqual(["", "c/d"]);
  });
});

describe("mayUseImages", () => {
  const may = (visibility: Visibility, role: Role | null, scopes: readonly string[] | null) =>
    (["pull", "push", "delete"] as const).filter((action) =>
      mayUseImages(action, visibility, { role, scopes }),
    );

  it.each<[Visibility, Role | null, string | null, readonly string[]]>([
    ["public", null, null, ["pull"]],
    ["internal", null, null, []],
    ["private", null, null, []],
    ["public", null, "read_registry", ["pull"]],
    ["internal", null, "read_registry", ["pull"]],
    ["private", null, "api", []],
    ["private", "guest", "api", []],
    ["private", "reporter", "api", ["pull"]],
    ["private", "developer", "read_registry", ["pull"]],
    ["private", "developer", "write_registry", ["push"]],
    ["private", "developer", "read_registry write_registry", ["pull", "push"]],
    ["private", "developer", "api", ["pull", "push", "delete"]],
    ["public", "reporter", "write_registry", []],
    ["public", "owner", "read_api read_repository write_repository", []],
  ])(
    "in a project with the visibility %s, the role %s and a token with the scopes %s allow the actions %j on images",
    (visibility, role, scopes, expected) => {
      expect(may(visibility, role, scopes?.split(" ") ?? null)).toEqual(expected);
    },
  );

  it("a token without a registry scope gives no access to images", () => {
    expect(["api", "read_registry", "write_registry"].every((scope) => grantsRegistryAccess([scope]))).toBe(
      true,
    );
    expect(grantsRegistryAccess(["read_api", "read_repository", "write_repository", "read_user"])).toBe(
      false,
    );
  });
});

describe("a bulk deletion", () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  const tags = [
    { name: "old", createdAt: at(1) },
    { name: "unknown", createdAt: null },
    { name: "new", createdAt: at(9) },
    { name: "middle", createdAt: at(5) },
  ];

  it.each<[number, Date | null, readonly string[]]>([
    [0, null, ["unknown", "new", "middle", "old"]],
    [2, null, ["middle", "old"]],
    [0, at(6), ["middle", "old"]],
    [3, at(6), ["old"]],
    [9, at(6), []],
  ])(
    "a bulk deletion keeps the %s newest tags, and tags that are not older than %s",
    (keepNewest, before, expected) => {
      expect(expiredTags(tags, { keepNewest, before })).toEqual(expected);
    },
  );

  it.each<[string, number | null]>([
    ["1h", 3_600_000],
    ["2 days", 2 * 86_400_000],
    ["1month", 30 * 86_400_000],
    ["1w", 7 * 86_400_000],
    ["10", null],
    ["constructor", null],
    ["1constructor", null],
    ["-1d", null],
    ["99999d", null],
  ])("parseAgeMs parses the parameter older_than %j of a bulk deletion", (text, expected) => {
    expect(parseAgeMs(text)).toBe(expected);
  });

  it("the patterns of a bulk deletion match only whole tag names, without backtracking", () => {
    expect(tagPattern("v\\d+")?.("v12")).toBe(true);
    expect(tagPattern("v\\d+")?.("xv12")).toBe(false);
    expect(tagPattern("a|b")?.("ab")).toBe(false);
    expect(tagPattern("(")).toBeNull();
    expect(tagPattern("((a{1,100}){1,100}){1,100}")).toBeNull();
    expect(tagPattern("a".repeat(101))).toBeNull();
    const matches = tagPattern("(a*)*(a|aa)*b");
    // A matcher with backtracking would take exponential time for this tag name.
    expect(completed(() => matches?.("a".repeat(128)))).toBe(false);
  });
});
