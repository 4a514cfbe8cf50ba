import { describe, expect, it } from "vitest";
import { completed } from "@/testing/completed.ts";
import { conformance } from "@/testing/conformance.ts";
import { DEFAULT_PROTECTION, matchesBranch, type ProtectedBranch, rightsFor } from "./rules.ts";

describe("matchesBranch", () => {
  it.each([
    ["main", "main", true],
    ["main", "Main", false],
    ["main", "main2", false],
    ["*", "a/b", true],
    ["release/*", "release/1/x", true],
    ["release/*", "release", false],
    ["*-stable", "1-2-stable", true],
    ["*-stable", "stable", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*x*y", "axbxcy", true],
    ["*x*y", "ayx", false],
    ["*ab*ab", "ab", false],
    ["a.c", "abc", false],
    ["**", "", true],
  ])(conformance("SC-02", "the rule %s matches the branch %s: %s"), (name, branch, expected) => {
    expect(matchesBranch(name, branch)).toBe(expected);
  });

  it(conformance("SC-02", "a rule with many wildcards is matched without backtracking"), () => {
    const match = (stars: number) => matchesBranch(`${"*a".repeat(stars)}*b`, "a".repeat(2 * stars));
    expect(completed(() => match(2_000))).toBe(false);
    // The branch name does not end with "c", so the rule does not match the branch. A matcher with
    // backtracking would try every way to split the branch name into parts that the wildcards match.
    expect(completed(() => matchesBranch(`${"*a".repeat(2_000)}*b*c`, `${"a".repeat(4_000)}c`))).toBe(false);
  });
});

const rule = (name: string, more: Partial<ProtectedBranch> = {}): ProtectedBranch => ({
  ...{ id: 1, name, ...DEFAULT_PROTECTION },
  ...more,
});

describe("rightsFor", () => {
  it(
    conformance(
      "SC-02",
      "on an unprotected branch, developers have all rights, and reporters have no rights",
    ),
    () => {
      expect(rightsFor([rule("main")], "topic", "developer")).toEqual({
        ...{ isProtected: false, mayPush: true, mayMerge: true, mayForcePush: true, mayDelete: true },
        ...{ developersCanPush: false, developersCanMerge: false },
      });
      expect(rightsFor([], "topic", "reporter")).toMatchObject({ mayPush: false, mayMerge: false });
      expect(rightsFor([], "topic", null)).toMatchObject({ mayPush: false, mayDelete: false });
    },
  );

  it(
    conformance(
      "SC-02",
      "on the default branch, developers have no rights, and maintainers may not force-push",
    ),
    () => {
      const of = (role: "developer" | "maintainer") => rightsFor([rule("main")], "main", role);
      expect(of("developer")).toMatchObject({ isProtected: true, mayPush: false, mayMerge: false });
      expect(of("developer")).toMatchObject({ mayForcePush: false, mayDelete: false });
      expect(of("maintainer")).toMatchObject({ mayPush: true, mayMerge: true, mayForcePush: false });
    },
  );

  it(
    conformance(
      "SC-02",
      "access level 0 allows no one to push, and the most permissive of several matching rules applies",
    ),
    () => {
      const closed = rule("release/*", { pushAccessLevel: 0, mergeAccessLevel: 30, allowForcePush: true });
      expect(rightsFor([closed], "release/1", "owner")).toMatchObject({ mayPush: false, mayMerge: true });
      expect(rightsFor([closed], "release/1", "owner").mayForcePush).toBe(false);
      const open = rule("release/1", { pushAccessLevel: 30 });
      expect(rightsFor([closed, open], "release/1", "developer")).toMatchObject({
        ...{ mayPush: true, mayMerge: true, mayForcePush: true },
        ...{ developersCanPush: true, developersCanMerge: true },
      });
    },
  );
});
