import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  certificationPlan,
  conformanceDocument,
  projectRuleTests,
  projectTests,
} from "../scripts/conformance.mjs";
import { CHAPTERS, NOT_MET, REQUIREMENTS } from "../scripts/conformance-catalog.mjs";
import { ruleTestsIn } from "../scripts/conformance-tests.mjs";
import {
  failedInPlaywright,
  failedInVitest,
  passedInPlaywright,
  passedInVitest,
  skippedInPlaywright,
  skippedInVitest,
  unprovedRules,
} from "../scripts/test-skips.mjs";

const RENEW = "Run: node scripts/conformance.mjs";

describe("docs/conformance.md", () => {
  const { document, problems } = conformanceDocument(CHAPTERS, projectRuleTests());

  it("each rule of the conformance catalog has a test, and none of these tests is skipped", () => {
    expect(problems).toEqual([]);
    const ids = Object.values(CHAPTERS).flatMap((chapter) => Object.keys(chapter));
    expect(ids.length).toBeGreaterThan(300);
    expect(Object.keys(REQUIREMENTS).toSorted()).toEqual(ids.toSorted());
  });

  it("test titles contain no rule ids outside of conformance() calls", () => {
    const written = projectTests().filter(({ text }) => /\[[A-Z]{2}-\d\d\b/.test(text));
    expect(
      written.map(({ file }) => file),
      'Write: conformance("AZ-12", "…")',
    ).toEqual([]);
  });

  it("each rule of the conformance catalog has an expected result and names a section of a document", () => {
    const SECTION =
      /^(?:goal of the product|decision \d{4}|(?:RFC \d+|OpenID Connect [A-Z][A-Za-z-]+(?: Logout)?|OAuth 2\.0 [A-Z][A-Za-z ]+|NIST SP 800-63B) (?:(?:§[\d.]+|Appendix [A-Z])(?:, )?)+|(?:Gatehouse specification|GitLab documentation|Fetch Standard|Content Security Policy Level 3|Model Context Protocol|draft-ietf-oauth-client-id-metadata-document), .+)$/;
    for (const [id, { rule, expected, source }] of Object.entries({ ...REQUIREMENTS, ...NOT_MET })) {
      for (const text of [rule, expected]) expect(text, id).toMatch(/^[^|\n]{2,}[^|\n. ]$/);
      for (const section of source.split("; ")) expect(section, id).toMatch(SECTION);
    }
  });

  it("docs/conformance.md lists the rules of the conformance catalog and the conformance tests of the project", () => {
    expect(readFileSync(join("docs", "conformance.md"), "utf8") === document, RENEW).toBe(true);
  });
});

describe("the conformance tests found in a file", () => {
  const ruleTestsOf = (text: string) =>
    ruleTestsIn("a.test.ts", text).map(
      ({ id, title, skipped }) => `${id} ${title}${skipped ? " (skipped)" : ""}`,
    );

  it("the title of a conformance test consists of the titles of its groups and its own title", () => {
    const text = `
      describe("tokens", () => {
        it(conformance("AZ-01", "AZ-02", "expire"), () => {});
        it("are opaque", () => {});
        it.each([1, 2])(conformance("AZ-03", \`last \${HOURS} or %i hours\`), () => {});
      });
      test.describe(conformance("AZ-04", "codes"), () => { test("expire", () => {}); });`;
    expect(ruleTestsOf(text)).toEqual([
      "AZ-01 tokens: expire",
      "AZ-02 tokens: expire",
      "AZ-03 tokens: last <HOURS> or %i hours",
      "AZ-04 codes",
    ]);
  });

  it("the title of a parameterized conformance test contains the title from the row of the parameter table", () => {
    const text = `
      const ROWS = [["wrong", 1], [conformance("AZ-01", "unknown"), 2]];
      describe("clients", () => {
        it.each([[conformance("AZ-02", "no secret"), 1]])("are refused with %s", () => {});
        it.each(ROWS)("are refused with the %s secret", () => {});
      });
      for (const title of [conformance("AZ-03", "PUT is refused")]) test(title, () => {});`;
    expect(ruleTestsOf(text)).toEqual([
      "AZ-01 clients: are refused with the unknown secret",
      "AZ-02 clients: are refused with no secret",
      "AZ-03 PUT is refused",
    ]);
  });

  it.each([
    'it.skip(conformance("AZ-01", "x"), () => {});',
    'it.todo(conformance("AZ-01", "x"));',
    'test.fixme(conformance("AZ-01", "x"), () => {});',
    'it.skip.each([1])(conformance("AZ-01", "x"), () => {});',
    'it.skip.each([[conformance("AZ-01", "x")]])("%s", () => {});',
    'describe.skip(conformance("AZ-01", "x"), () => { it("y", () => {}); });',
    'describe.skip("", () => { it(conformance("AZ-01", "x"), () => {}); });',
    'const ROWS = [conformance("AZ-01", "x")]; test.describe.skip("", () => it.each(ROWS)("%s", () => {}));',
  ])("a conformance test with the source code %s is reported as skipped", (text) => {
    expect(ruleTestsIn("a.test.ts", text)).toEqual([expect.objectContaining({ id: "AZ-01", skipped: true })]);
  });
});

describe("a conformance document", () => {
  const rule = { rule: "a request", expected: "400", source: "RFC 6749 §5.2; decision 0001" };
  const ruleTest = { file: "src/a.test.ts", title: "holds | <b>", skipped: false };

  it("the conformance document names the tests of each rule", () => {
    const ruleTests = [
      { ...ruleTest, id: "AZ-01" },
      { ...ruleTest, id: "AZ-01", title: "holds *again*" },
      { ...ruleTest, id: "AZ-01", file: "e2e/b.spec.ts" },
    ];
    const { document, problems } = conformanceDocument({ Chapter: { "AZ-01": rule } }, ruleTests);
    expect(problems).toEqual([]);
    expect(document).toContain(
      "| AZ-01 | a request | 400 | RFC 6749 §5.2; [decision 0001](decisions/0001-one-process-two-mounts.md) | [a.test.ts](../src/a.test.ts): holds \\| &lt;b>; holds \\*again\\*<br>[b.spec.ts](../e2e/b.spec.ts): holds \\| &lt;b> |\n",
    );
  });

  it("the check of the conformance document reports each rule for which no test runs, and each skipped test", () => {
    const ruleTests = [
      { ...ruleTest, id: "AZ-02", skipped: true },
      { ...ruleTest, id: "AZ-03" },
      { ...ruleTest, id: "AZ-03", title: "holds later", skipped: true },
      { ...ruleTest, id: "AZ-99" },
    ];
    const { document, problems } = conformanceDocument(
      { "Chapter 1": { "AZ-01": rule, "AZ-02": rule }, "Chapter 2": { "AZ-03": rule } },
      ruleTests,
    );
    expect(problems).toEqual([
      "The rule AZ-99 is not in the catalog, but is named in: src/a.test.ts.",
      "AZ-01: no test checks this rule.",
      "AZ-02: no test checks this rule.",
      'AZ-02: the test "holds | <b>" in src/a.test.ts is skipped.',
      'AZ-03: the test "holds later" in src/a.test.ts is skipped.',
    ]);
    expect(document).toMatch(/^\| AZ-02 \| a request \| .* \|\s+\|$/m);
  });
});

describe("a table of a certification plan", () => {
  const HEAD =
    "// The modules of the Config OP certification plan of the OpenID Foundation, with their names.\n";
  const TEST = 'test(module("oidcc-discovery-endpoint-verification", "holds | <b>"), () => {});';

  it("the table lists the modules of the plan with the titles of their tests", () => {
    const { table, problems } = certificationPlan("OF-02", "e2e/a.spec.ts", HEAD + TEST);
    expect(problems).toEqual([]);
    expect(table).toContain("### Config OP certification plan\n");
    expect(table).toContain("| `oidcc-discovery-endpoint-verification` | holds \\| &lt;b> |\n");
  });

  it("the check of the plan reports each module without a test, and each test of an unknown module", () => {
    const text = HEAD + TEST.replace("endpoint-verification", "keys");
    expect(certificationPlan("OF-02", "e2e/a.spec.ts", text).problems).toEqual([
      "OF-02: e2e/a.spec.ts has no test of oidcc-discovery-endpoint-verification.",
      "OF-02: the plan of e2e/a.spec.ts has no module oidcc-discovery-keys.",
    ]);
  });
});

describe("a report of a test run", () => {
  it("a rule counts as verified only if a test of the rule has passed in the report from Vitest", () => {
    const test = (fullName: string, status: string, meta = {}) => ({ fullName, status, meta });
    const report = {
      testResults: [
        { assertionResults: [test("a code expires [AZ-01, AZ-02]", "passed"), test("a [AZ-03]", "failed")] },
        { assertionResults: [test("b [AZ-04]", "skipped"), test("c [AZ-05]", "todo", { missing: "git" })] },
      ],
    } as never;
    const run = { passed: passedInVitest(report), skipped: skippedInVitest(report) };
    expect(unprovedRules(["AZ-01", "AZ-02", "AZ-03", "AZ-04", "AZ-05", "AZ-06"], run)).toEqual([
      "AZ-03: no test of this rule has passed.",
      'AZ-04: the test "b [AZ-04]" is skipped.',
      "AZ-06: no test of this rule has passed.",
    ]);
  });

  it("a rule counts as verified if a test of the rule, or a test in a group of the rule, has passed in the report from Playwright", () => {
    const spec = (title: string, status: string, expectedStatus: string, reason = "") => ({
      title,
      tests: [{ status, expectedStatus, annotations: [{ type: "skip", description: reason }] }],
    });
    const report = {
      suites: [
        {
          title: "a.spec.ts",
          specs: [spec("a [AZ-01]", "expected", "passed"), spec("b [AZ-02]", "unexpected", "passed")],
          suites: [
            {
              title: "codes [AZ-03]",
              specs: [
                spec("expire", "expected", "passed"),
                spec("c [AZ-01, AZ-04]", "skipped", "skipped"),
                spec("d [AZ-05]", "skipped", "skipped", "not runnable on this machine: git"),
              ],
            },
          ],
        },
      ],
    } as never;
    expect(failedInPlaywright(report)).toEqual(["a.spec.ts › b [AZ-02]"]);
    const run = { passed: passedInPlaywright(report), skipped: skippedInPlaywright(report) };
    expect(unprovedRules(["AZ-01", "AZ-02", "AZ-03", "AZ-04", "AZ-05"], run)).toEqual([
      'AZ-01: the test "a.spec.ts › codes [AZ-03] › c [AZ-01, AZ-04]" is skipped.',
      "AZ-02: no test of this rule has passed.",
      'AZ-03: the test "a.spec.ts › codes [AZ-03] › c [AZ-01, AZ-04]" is skipped.',
      'AZ-04: the test "a.spec.ts › codes [AZ-03] › c [AZ-01, AZ-04]" is skipped.',
    ]);
  });

  it("the end of the report names the failed tests, and the files that failed outside of their tests", () => {
    const test = (fullName: string, status: string) => ({ fullName, status });
    const report = {
      testResults: [
        { name: "a.test.ts", status: "failed", assertionResults: [test("a", "failed"), test("b", "passed")] },
        { name: "b.test.ts", status: "failed", assertionResults: [test("c", "skipped")] },
        { name: "c.test.ts", status: "passed", assertionResults: [test("d", "passed")] },
      ],
    } as never;
    expect(failedInVitest(report)).toEqual(["a", "b.test.ts"]);
  });
});
