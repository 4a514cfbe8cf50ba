import { describe, expect, it } from "vitest";
import { licensesIn } from "./lock-file.ts";
import {
  approvalsLeftFor,
  evaluateLicense,
  licensesIntroducedBy,
  listProblems,
  listsFrom,
  violationsOf,
  withLists,
} from "./rules.ts";

const lists = (allow: string, deny: string) => ({
  allowList: allow.split(",").filter(Boolean),
  denyList: deny.split(",").filter(Boolean),
});

describe("evaluateLicense", () => {
  it.each([
    ["MIT", "", "GPL-3.0", "accepted"],
    ["gpl-3.0", "", "GPL-3.0", "denied"],
    ["ISC", "MIT", "", "not_allowed"],
    ["MIT", "MIT", "MIT", "denied"],
    ["(MIT OR GPL-3.0)", "", "GPL-3.0", "accepted"],
    ["GPL-2.0 OR GPL-3.0", "", "GPL-3.0,GPL-2.0", "denied"],
    ["MIT AND GPL-3.0", "", "GPL-3.0", "denied"],
    ["MIT and GPL-3.0", "", "GPL-3.0", "denied"],
    ["MIT AND (ISC OR GPL-3.0)", "MIT,ISC", "GPL-3.0", "accepted"],
    ["MIT OR ISC AND GPL-3.0", "MIT", "GPL-3.0", "accepted"],
    ["(MIT OR ISC) AND GPL-3.0", "MIT", "GPL-3.0", "denied"],
    ["GPL-2.0 WITH Classpath-exception-2.0", "", "GPL-2.0", "denied"],
    ["Public License v2 or later", "Public License v2 or later", "", "accepted"],
    ["unknown", "MIT", "", "not_allowed"],
    ["(MIT", "MIT", "", "not_allowed"],
    ["OR", "MIT", "", "not_allowed"],
    [`${"(".repeat(200)}MIT`, "MIT", "", "not_allowed"],
    ["", "MIT", "", "not_allowed"],
  ])(
    "evaluateLicense evaluates the license %s with the allow list %j and the deny list %j: %s",
    (stated, allow, deny, evaluation) => {
      expect(evaluateLicense(lists(allow, deny))(stated)).toBe(evaluation);
    },
  );
});

describe("withLists", () => {
  it("a license name remains only in the list to which the name was added last", () => {
    const later = listsFrom([
      { name: "mit", status: "denied" },
      { name: "ISC", status: "allowed" },
    ]);
    expect(withLists(lists("MIT,BSD", "X"), later)).toEqual({
      allowList: ["BSD", "ISC"],
      denyList: ["X", "mit"],
    });
  });
});

describe("listProblems", () => {
  it("the lists of a policy are reported as invalid if they overlap, are both empty or are too long", () => {
    expect(listProblems(lists("MIT", "mit"))).toEqual({
      deny_list: ["contains licenses of the allow list: mit"],
    });
    expect(listProblems(lists("", ""))).not.toBeNull();
    const many = Array.from({ length: 201 }, (_, at) => `L${at}`);
    expect(listProblems({ allowList: many, denyList: [] })).toEqual({
      allow_list: ["is too long (maximum is 200 licenses)"],
    });
    expect(listProblems(lists("MIT", "GPL-3.0"))).toBeNull();
  });
});

describe("licensesIntroducedBy", () => {
  it("a license counts as introduced only if the package did not have this license before", () => {
    const before = [{ package: "a", license: "MIT" }];
    const after = [
      { package: "a", license: "mit" },
      { package: "a", license: "GPL-3.0" },
      { package: "b", license: "GPL-3.0" },
      { package: "b", license: "GPL-3.0" },
    ];
    expect(licensesIntroducedBy(before, after)).toEqual([
      { license: "GPL-3.0", packages: ["a", "b"], count: 2 },
    ]);
  });
});

describe("violationsOf", () => {
  it("an unreadable lock file violates every policy", () => {
    const policy = { id: 1, name: "x", approvalsRequired: 1, ...lists("", "GPL-3.0") };
    expect(violationsOf({ licenses: [], unreadable: ["composer.lock"] }, [policy])).toMatchObject([
      { license: null, objection: "unreadable", packages: ["composer.lock"] },
    ]);
  });
});

describe("approvalsLeftFor", () => {
  it("approvalsLeftFor returns the number of missing approvals of a violated policy, or null if approvals cannot permit the violation", () => {
    expect(approvalsLeftFor({ approvalsRequired: 0 }, 9)).toBeNull();
    expect(approvalsLeftFor({ approvalsRequired: 2 }, 1)).toBe(1);
    expect(approvalsLeftFor({ approvalsRequired: 2 }, 3)).toBe(0);
  });
});

describe("licensesIn", () => {
  const npm = (packages: unknown) => licensesIn("web/package-lock.json", JSON.stringify({ packages }));

  it("licensesIn returns the dependencies in an npm lock file, without the packages of the project itself", () => {
    const licenses = npm({
      "": { license: "AGPL-3.0" },
      "packages/own": { license: "AGPL-3.0" },
      "node_modules/own": { link: true },
      "node_modules/@s/a": { license: " MIT " },
      "node_modules/a/node_modules/b": { license: { type: "ISC" } },
      "node_modules/c": {},
      "node_modules/d": { license: "G\u0000PL" },
      "node_modules/e": { license: "x".repeat(300) },
    });
    expect(licenses?.map((entry) => [entry.package, entry.license])).toEqual([
      ["@s/a", "MIT"],
      ["b", "ISC"],
      ["c", "unknown"],
      ["d", "unknown"],
      ["e", "unknown"],
    ]);
  });

  it("every package in an npm lock file of version 1 has the license 'unknown'", () => {
    const dependencies = { a: { dependencies: { b: {} } } };
    expect(licensesIn("package-lock.json", JSON.stringify({ dependencies }))).toEqual([
      { package: "a", license: "unknown" },
      { package: "b", license: "unknown" },
    ]);
  });

  it("several licenses of a package in a Composer lock file are alternatives", () => {
    const file = {
      packages: [{ name: "a/a", license: ["MIT"] }],
      "packages-dev": [{ name: "b/b", license: ["MIT", "GPL-3.0"] }, { license: [] }],
    };
    expect(licensesIn("composer.lock", JSON.stringify(file))).toEqual([
      { package: "a/a", license: "MIT" },
      { package: "b/b", license: "(MIT) OR (GPL-3.0)" },
      { package: "(unnamed)", license: "unknown" },
    ]);
  });

  it.each(["", "null", "[]", "{", "../real.json", '{"packages":[1]}', '{"packages":{"node_modules/a":1}}'])(
    "licensesIn returns null for the malformed lock file %j",
    (text) => {
      expect(licensesIn("package-lock.json", text)).toBeNull();
    },
  );

  it("licensesIn returns the license of a package with the name __proto__", () => {
    const text = '{"packages":{"node_modules/__proto__":{"license":"GPL-3.0"}}}';
    expect(licensesIn("package-lock.json", text)).toEqual([{ package: "__proto__", license: "GPL-3.0" }]);
  });
});
