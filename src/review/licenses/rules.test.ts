import { describe, expect, it } from "vitest";
import { licensesIn } from "./lock-file.ts";
import {
  approvalsLeftFor,
  judgeLicense,
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

describe("judgeLicense", () => {
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
  ])("says of %s with %s allowed and %s denied: %4$s", (stated, allow, deny, verdict) => {
    expect(judgeLicense(lists(allow, deny))(stated)).toBe(verdict);
  });
});

it("keeps a name in the list where it was put last", () => {
  const later = listsFrom([
    { name: "mit", status: "denied" },
    { name: "ISC", status: "allowed" },
  ]);
  expect(withLists(lists("MIT,BSD", "X"), later)).toEqual({
    allowList: ["BSD", "ISC"],
    denyList: ["X", "mit"],
  });
});

it("refuses lists that contradict each other, say nothing or are too long", () => {
  expect(listProblems(lists("MIT", "mit"))).toEqual({ deny_list: ["has mit of the allow list"] });
  expect(listProblems(lists("", ""))).not.toBeNull();
  const many = Array.from({ length: 201 }, (_, at) => `L${at}`);
  expect(listProblems({ allowList: many, denyList: [] })).toEqual({
    allow_list: ["has more than 200 names"],
  });
  expect(listProblems(lists("MIT", "GPL-3.0"))).toBeNull();
});

it("counts what a package has now and had not before", () => {
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

it("objects to what nobody could read, whatever the policy", () => {
  const policy = { id: 1, name: "x", approvalsRequired: 1, ...lists("", "GPL-3.0") };
  expect(violationsOf({ licenses: [], unreadable: ["composer.lock"] }, [policy])).toMatchObject([
    { license: null, objection: "unreadable", packages: ["composer.lock"] },
  ]);
});

it("lets approvals settle only a policy that asks for some", () => {
  expect(approvalsLeftFor({ approvalsRequired: 0 }, 9)).toBeNull();
  expect(approvalsLeftFor({ approvalsRequired: 2 }, 1)).toBe(1);
  expect(approvalsLeftFor({ approvalsRequired: 2 }, 3)).toBe(0);
});

describe("licensesIn", () => {
  const npm = (packages: unknown) => licensesIn("web/package-lock.json", JSON.stringify({ packages }));

  it("reads npm's lock file, without what is the project's own", () => {
    const found = npm({
      "": { license: "AGPL-3.0" },
      "packages/own": { license: "AGPL-3.0" },
      "node_modules/own": { link: true },
      "node_modules/@s/a": { license: " MIT " },
      "node_modules/a/node_modules/b": { license: { type: "ISC" } },
      "node_modules/c": {},
      "node_modules/d": { license: "G\u0000PL" },
      "node_modules/e": { license: "x".repeat(300) },
    });
    expect(found?.map((one) => [one.package, one.license])).toEqual([
      ["@s/a", "MIT"],
      ["b", "ISC"],
      ["c", "unknown"],
      ["d", "unknown"],
      ["e", "unknown"],
    ]);
  });

  it("finds every package of the first version, of unknown licenses", () => {
    const dependencies = { a: { dependencies: { b: {} } } };
    expect(licensesIn("package-lock.json", JSON.stringify({ dependencies }))).toEqual([
      { package: "a", license: "unknown" },
      { package: "b", license: "unknown" },
    ]);
  });

  it("reads Composer's lock file: several licenses are alternatives", () => {
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
    "reads nothing from %s",
    (text) => {
      expect(licensesIn("package-lock.json", text)).toBeNull();
    },
  );

  it("takes no name for a field of every object", () => {
    const text = '{"packages":{"node_modules/__proto__":{"license":"GPL-3.0"}}}';
    expect(licensesIn("package-lock.json", text)).toEqual([{ package: "__proto__", license: "GPL-3.0" }]);
  });
});
