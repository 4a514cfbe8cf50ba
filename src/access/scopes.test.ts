import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import {
  ALL_SCOPES,
  allows,
  DEFAULT_SCOPE,
  groupScopes,
  isScope,
  parseScope,
  SCOPES,
  type Scope,
  scopeWarning,
} from "./scopes.ts";

const NAMED = [
  "api",
  "read_api",
  "read_user",
  "read",
  "read_repository",
  "write_repository",
  "read_registry",
  "write_registry",
  "create_runner",
  "manage_runner",
  "mcp",
  "openid",
  "profile",
  "email",
];

describe("the table of scopes", () => {
  it("the table of scopes contains exactly the specified scopes, and api is the default scope", () => {
    expect([...ALL_SCOPES].toSorted()).toEqual(NAMED.toSorted());
    expect(DEFAULT_SCOPE).toBe("api");
  });

  it("each scope has a description, and includes only other scopes from the table of scopes", () => {
    for (const { covers, label, detail } of Object.values(SCOPES)) {
      for (const covered of covers) expect(isScope(covered)).toBe(true);
      expect(label).not.toBe("");
      expect(detail).not.toBe("");
    }
  });

  it.each(["API", "constructor", "__proto__", "toString", "", "sudo", "read_user "])(
    conformance("AT-27", "isScope returns false for %j, which is not a scope"),
    (word) => {
      expect(isScope(word)).toBe(false);
    },
  );
});

describe("allows", () => {
  it.each<[string, Scope, boolean]>([
    ["read_user", "read_user", true],
    ["api", "read_user", true],
    ["api", "read_api", true],
    ["api", "write_repository", true],
    ["read_api", "read_user", true],
    ["read", "read_api", true],
    ["read_api", "read", true],
    ["read", "api", false],
    ["read_api", "api", false],
    ["read_user", "api", false],
    ["read_user", "read_api", false],
    ["read_repository", "write_repository", false],
    ["write_repository", "read_repository", true],
    ["api", "openid", false],
    ["profile", "read_user", false],
    ["openid", "read_user", false],
    ["API", "read_user", false],
    ["READ_USER", "read_user", false],
    ["constructor", "read_user", false],
    ["", "read_user", false],
    ["openid profile read_user", "read_user", true],
  ])(
    conformance("US-04", "the scope %j gives access to an endpoint that requires the scope %s: %s"),
    (held, needed, expected) => {
      expect(allows(held.split(" "), needed)).toBe(expected);
    },
  );
});

describe("parseScope", () => {
  it.each<[string, readonly string[] | null]>([
    ["read_user", ["read_user"]],
    ["b a", ["b", "a"]],
    ["  a   b ", ["a", "b"]],
    ["a b a", ["a", "b"]],
    ["a,b, c", ["a", "b", "c"]],
    ["a A", ["a", "A"]],
    ["", []],
    ["   ", []],
    ["!#[]~", ["!#[]~"]],
    ["openid offline_access", ["openid"]],
    ["offline_access,a", ["a"]],
    ["Offline_access", ["Offline_access"]],
    ["offline_access", null],
    ["a\tb", null],
    ["a\nb", null],
    ['a"', null],
    ["a\\b", null],
    ["a\u00a0b", null],
    ["a\0b", null],
    ["é", null],
  ])(conformance("SC-26", "AZ-21", "AZ-22", "parseScope parses the scope parameter %j"), (text, expected) => {
    expect(parseScope(text)).toEqual(expected);
  });
});

describe("groupScopes", () => {
  const groups = (...scopes: readonly Scope[]) =>
    groupScopes(scopes).map(({ scope, included }) => [scope, ...included].join(" "));

  it("groupScopes orders scopes from the strongest to the weakest", () => {
    expect(groups("openid", "read_user", "write_repository", "email")).toEqual([
      "write_repository",
      "read_user",
      "openid",
      "email",
    ]);
  });

  it("groupScopes lists a scope below the stronger scope that includes it", () => {
    expect(groups("read_user", "openid", "api", "write_repository")).toEqual([
      "api write_repository read_user",
      "openid",
    ]);
    expect(groups("read_repository", "write_repository")).toEqual(["write_repository read_repository"]);
  });

  it("groupScopes returns every scope exactly once, and puts read and read_api in one group", () => {
    const all = groupScopes(ALL_SCOPES).flatMap(({ scope, included }) => [scope, ...included]);
    expect(all.toSorted()).toEqual([...ALL_SCOPES].toSorted());
    expect(groups("read", "read_api", "read")).toEqual(["read read_api"]);
  });
});

describe("the texts of the scopes", () => {
  it("no two scopes have the same label or the same explanation", () => {
    for (const column of ["label", "detail"] as const)
      expect(new Set(ALL_SCOPES.map((scope) => SCOPES[scope][column])).size).toBe(ALL_SCOPES.length);
  });

  it.each(ALL_SCOPES)("the scope %s has a warning if, and only if, the scope allows changes", (scope) => {
    expect(scopeWarning(scope) !== null).toBe(["write", "full"].includes(SCOPES[scope].risk));
  });
});
