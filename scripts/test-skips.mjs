/**
 * The programs and permissions that tests need and that may be missing on a machine. A test that needs a
 * missing program or permission is skipped, and `npm test` reports the number of such tests. If a test is
 * skipped for any other reason, the test run fails.
 */
export const CAPABILITIES = /** @type {const} */ ({
  git: "Git",
  proc: "the Linux file system /proc",
  strace: "strace, and the permission to trace processes",
  mount: "the permission to mount a file system",
  curl: "curl",
  "curl-http2": "curl with HTTP/2",
  jdk: "a JDK",
  pgbouncer: "PgBouncer",
  "container-registry": "docker-registry and skopeo",
  "python-authlib": "Authlib for Python",
  "python-requests-oauthlib": "requests-oauthlib for Python",
  "ruby-omniauth-gitlab": "omniauth-gitlab for Ruby",
  "go-oauth2": "Go with golang.org/x/oauth2 0.13 or newer in GOPATH",
  "python-sentry-sdk": "sentry-sdk for Python",
});

/**
 * @import { JSONReport, JSONReportSpec, JSONReportSuite } from "@playwright/test/reporter"
 * @import { JsonTestResults } from "vitest/reporters"
 */

/** @typedef {keyof typeof CAPABILITIES} Capability */
/** @typedef {{ title: string, missing: Capability | null }} Skipped a test that did not run, and the missing capability. */

const PREFIX = "not runnable on this machine: ";

/** Returns the reason that Playwright records for a skipped test. @param {Capability} missing */
export const notRunnableWithout = (missing) => `${PREFIX}${missing}`;

/**
 * Returns the tests that did not run, from a JSON report of Vitest.
 * @param {Partial<JsonTestResults>} report
 * @returns {Skipped[]}
 */
export const skippedInVitest = (report) =>
  (report.testResults ?? [])
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status !== "passed" && test.status !== "failed")
    .map((test) => skipped(test.fullName, test.meta?.missing));

/**
 * Returns the titles of the tests that passed, from a JSON report of Vitest.
 * @param {Partial<JsonTestResults>} report
 */
export const passedInVitest = (report) =>
  (report.testResults ?? [])
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status === "passed")
    .map(({ fullName }) => fullName);

/**
 * Returns the titles of the tests that failed, from a JSON report of Vitest. For a file that failed outside of its
 * tests, the result contains the path of the file.
 * @param {Partial<JsonTestResults>} report
 */
export const failedInVitest = (report) =>
  (report.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const titles = assertionResults
      .filter((test) => test.status === "failed")
      .map(({ fullName }) => fullName);
    return status === "failed" && titles.length === 0 ? [name] : titles;
  });

/**
 * Returns the tests that did not run, from a JSON report of Playwright. Tests that follow a failed test in a
 * serial suite are not included, because the failed test is reported.
 * @param {Partial<JSONReport>} report
 * @returns {Skipped[]}
 */
export const skippedInPlaywright = (report) =>
  specsOf(report).flatMap(({ title, tests }) =>
    tests
      .filter((test) => test.status === "skipped" && test.expectedStatus === "skipped")
      .map((test) => {
        const reasons = test.annotations.map((one) => one.description ?? "");
        const reason = reasons.find((text) => text.startsWith(PREFIX));
        return skipped(title, reason?.slice(PREFIX.length));
      }),
  );

/**
 * Returns the titles of the tests that passed, from a JSON report of Playwright.
 * @param {Partial<JSONReport>} report
 */
export const passedInPlaywright = (report) =>
  specsOf(report)
    .filter(({ tests }) =>
      tests.some((test) => test.status === "expected" && test.expectedStatus === "passed"),
    )
    .map(({ title }) => title);

/**
 * Returns the titles of the tests that failed, from a JSON report of Playwright.
 * @param {Partial<JSONReport>} report
 */
export const failedInPlaywright = (report) =>
  specsOf(report)
    .filter(({ tests }) => tests.some(({ status }) => status === "unexpected" || status === "flaky"))
    .map(({ title }) => title);

/**
 * Returns the tests of a Playwright report, each with the titles of its file and of its groups.
 * @param {Partial<JSONReport>} report
 */
const specsOf = (report) => (report.suites ?? []).flatMap((suite) => specsIn(suite, []));

/**
 * @param {JSONReportSuite} suite
 * @param {readonly string[]} above
 * @returns {{ title: string, tests: JSONReportSpec["tests"] }[]}
 */
function specsIn(suite, above) {
  const titles = [...above, suite.title];
  return [
    ...(suite.specs ?? []).map(({ title, tests }) => ({ title: [...titles, title].join(" › "), tests })),
    ...(suite.suites ?? []).flatMap((one) => specsIn(one, titles)),
  ];
}

/** @param {string} title @param {unknown} missing @returns {Skipped} */
const skipped = (title, missing) => ({
  title,
  missing: typeof missing === "string" && isCapability(missing) ? missing : null,
});

/** @param {string} name @returns {name is Capability} */
const isCapability = (name) => Object.hasOwn(CAPABILITIES, name);

/**
 * Returns the report on skipped tests: one line for each missing capability, and the titles of the tests that
 * were skipped for another reason.
 * @param {readonly Skipped[]} tests
 */
export function summaryOf(tests) {
  const undeclared = tests.filter(({ missing }) => missing === null).map(({ title }) => title);
  const lines = Object.entries(CAPABILITIES).flatMap(([name, label]) => {
    const without = tests.filter(({ missing }) => missing === name);
    if (without.length === 0) return [];
    const rows = rulesIn(without.map(({ title }) => title));
    const unproved = rows.length === 0 ? "" : `; rules that are not checked: ${rows.join(", ")}`;
    return [`Not runnable on this machine: ${without.length} tests that need ${label}${unproved}`];
  });
  return { lines, undeclared };
}

/**
 * Returns the ids of the conformance rules that test titles contain. The function `conformance` adds rule ids
 * to test titles.
 * @param {readonly string[]} titles
 */
const rulesIn = (titles) => [...new Set(titles.flatMap((title) => title.match(/\b[A-Z]{2}-\d\d\b/g) ?? []))];

/**
 * Returns the conformance rules that a complete test run did not check, because a test of the rule was
 * skipped or no test of the rule passed. The result does not include rules whose tests cannot run on this
 * machine.
 * @param {readonly string[]} rules the ids of all rules
 * @param {{ passed: readonly string[], skipped: readonly Skipped[] }} run the titles of the tests that
 * passed, and the tests that did not run.
 * @returns {readonly string[]} a sentence for each rule.
 */
export function unprovedRules(rules, { passed, skipped }) {
  const proved = new Set(rulesIn(passed));
  const declared = new Set(
    rulesIn(skipped.filter(({ missing }) => missing !== null).map(({ title }) => title)),
  );
  return rules.flatMap((id) => {
    const test = skipped.find(({ title, missing }) => missing === null && rulesIn([title]).includes(id));
    if (test !== undefined) return [`${id}: the test "${test.title}" is skipped.`];
    return proved.has(id) || declared.has(id) ? [] : [`${id}: no test of this rule has passed.`];
  });
}
