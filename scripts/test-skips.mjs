/**
 * What a machine may lack. A test that needs one of these is skipped where it is absent, and `npm test` says how many
 * are; a test that is skipped for any other reason fails the run.
 */
export const CAPABILITIES = /** @type {const} */ ({
  git: "Git",
  strace: "strace, and the right to trace",
  mount: "the right to mount a file system",
  curl: "curl",
  "curl-http2": "curl that speaks HTTP/2",
  jdk: "a JDK",
  "container-registry": "docker-registry and skopeo",
  "python-requests-oauthlib": "requests-oauthlib for Python",
  "python-sentry-sdk": "sentry-sdk for Python",
});

/**
 * @import { JSONReport, JSONReportSpec, JSONReportSuite } from "@playwright/test/reporter"
 * @import { JsonTestResults } from "vitest/reporters"
 */

/** @typedef {keyof typeof CAPABILITIES} Capability */
/** @typedef {{ title: string, missing: Capability | null }} Skipped a test that did not run, and what it lacked. */

const PREFIX = "not runnable here: ";

/** The reason that Playwright is given for a skip. @param {Capability} missing */
export const notRunnableWithout = (missing) => `${PREFIX}${missing}`;

/**
 * The tests of a JSON report of Vitest that did not run.
 * @param {Partial<JsonTestResults>} report
 * @returns {Skipped[]}
 */
export const skippedInVitest = (report) =>
  (report.testResults ?? [])
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status !== "passed" && test.status !== "failed")
    .map((test) => skipped(test.fullName, test.meta?.missing));

/**
 * The tests of a JSON report of Playwright that did not run. Tests after a failure in a serial suite are not among them:
 * the failure says enough.
 * @param {Partial<JSONReport>} report
 * @returns {Skipped[]}
 */
export const skippedInPlaywright = (report) =>
  (report.suites ?? []).flatMap(specsIn).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === "skipped" && test.expectedStatus === "skipped")
      .map((test) => {
        const reasons = test.annotations.map((one) => one.description ?? "");
        const reason = reasons.find((text) => text.startsWith(PREFIX));
        return skipped(spec.title, reason?.slice(PREFIX.length));
      }),
  );

/** @param {JSONReportSuite} suite @returns {JSONReportSpec[]} */
const specsIn = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsIn)];

/** @param {string} title @param {unknown} missing @returns {Skipped} */
const skipped = (title, missing) => ({
  title,
  missing: typeof missing === "string" && isCapability(missing) ? missing : null,
});

/** @param {string} name @returns {name is Capability} */
const isCapability = (name) => Object.hasOwn(CAPABILITIES, name);

/**
 * What the run says of skipped tests: lines for those that the machine cannot run, and the titles of all others.
 * @param {readonly Skipped[]} tests
 */
export function summaryOf(tests) {
  const undeclared = tests.filter(({ missing }) => missing === null).map(({ title }) => title);
  const lines = Object.entries(CAPABILITIES).flatMap(([name, label]) => {
    const without = tests.filter(({ missing }) => missing === name);
    if (without.length === 0) return [];
    const rows = [...new Set(without.flatMap(({ title }) => title.match(/\b[A-Z]{2}-\d\d\b/g) ?? []))];
    const unproved = rows.length === 0 ? "" : `; not proved here: ${rows.join(", ")}`;
    return [`Not runnable here: ${without.length} tests that need ${label}${unproved}`];
  });
  return { lines, undeclared };
}
