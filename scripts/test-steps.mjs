import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { capture, ROOT } from "./prepare-step.mjs";
import {
  failedInPlaywright,
  failedInVitest,
  passedInPlaywright,
  passedInVitest,
  skippedInPlaywright,
  skippedInVitest,
} from "./test-skips.mjs";

/**
 * `titles` are the titles of the tests that passed, and `failures` the titles of the tests that failed.
 * @typedef {{ passed: number, failed: number, output: string, titles?: readonly string[], failures?: readonly
 * string[], skipped?: readonly import("./test-skips.mjs").Skipped[] }} Result
 * @typedef {(args: readonly string[]) => Promise<Result>} Run
 * @typedef {"at the start" | "with PostgreSQL" | "after the build" | "in its turn"} Start when a step of a
 * run begins. Steps run simultaneously with each other and with the build of the pages, because each step
 * spends most of its time waiting for a program, a poll or a database.
 * @typedef {{ name: string, label: string, needs: readonly ("pages" | "browser" | "postgresql")[], start:
 * Start, run: Run, apart?: true }} Step
 */

/**
 * Returns the `run` function of a step that runs a check script. The check script counts as one test.
 * @param {string} script
 * @param {readonly string[]} args
 */
const check = (script, args) => async (/** @type {readonly string[]} */ more) => {
  const { code, output } = await capture(process.execPath, [script, ...args, ...more]);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
};

/**
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<Result>}
 */
async function vitest(args, env) {
  const report = reportFile("vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const command = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args];
  const { code, output } = await capture(process.execPath, command, env);
  /** @type {Partial<import("vitest/reporters").JsonTestResults>} */
  const results = readReport(report);
  const failures = failedInVitest(results);
  return {
    ...counted(results.numPassedTests ?? 0, failures.length, code, output),
    titles: passedInVitest(results),
    failures,
    skipped: skippedInVitest(results),
  };
}

/**
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<Result>}
 */
async function playwright(args, env) {
  const report = reportFile("playwright.json");
  const { code, output } = await capture(
    process.execPath,
    ["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json", ...args],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report, FORCE_COLOR: "0", ...env },
  );
  /** @type {Partial<import("@playwright/test/reporter").JSONReport>} */
  const results = readReport(report);
  const { expected = 0, unexpected = 0, flaky = 0 } = results.stats ?? {};
  // A test that passes on its second attempt counts as failed.
  const tests = counted(expected, unexpected + flaky, code, output);
  return {
    ...tests,
    titles: passedInPlaywright(results),
    failures: failedInPlaywright(results),
    skipped: skippedInPlaywright(results),
  };
}

/**
 * Returns the numbers of passed and failed tests of a test run. A failure outside of a test counts as one
 * failed test.
 * @param {number} passed
 * @param {number} failed
 * @param {number} code
 * @param {string} output
 */
const counted = (passed, failed, code, output) => ({
  passed,
  failed: failed === 0 && code !== 0 ? 1 : failed,
  output,
});

/** @param {string} name */
function reportFile(name) {
  const file = join(ROOT, ".cache", name);
  rmSync(file, { force: true });
  return file;
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

/**
 * The environment variable that increases the iterations of property tests and races (see
 * `src/testing/long.ts`).
 */
const LONG = { GATEHOUSE_TEST_LONG: "1" };
const LONG_TESTS = ["fuzz.service", "hostile.sqlite", "token-life-cycle", "shared-folder"];
const LONG_SPECS = ["oauth/races", "errors/kill", "errors/settings-kill", "server/workers"];

/**
 * The test steps, in the order of their reports. `npm test -- <name> <arguments>` runs the steps with this
 * name, and passes the arguments to these steps. Steps with `apart` are not part of a complete test run.
 */
export const STEPS = /** @type {readonly Step[]} */ ([
  {
    name: "lint",
    label: "Lint and format",
    needs: [],
    start: "at the start",
    run: check("node_modules/@biomejs/biome/bin/biome", ["check"]),
  },
  {
    name: "knip",
    label: "Dead code",
    needs: [],
    start: "at the start",
    run: check("node_modules/knip/bin/knip.js", []),
  },
  {
    name: "types",
    label: "Types",
    needs: [],
    // The type check runs after the build, because the build generates the types of the pages.
    start: "after the build",
    run: check("node_modules/typescript/bin/tsc", ["--noEmit", "-p", "."]),
  },
  {
    name: "migrations",
    label: "Migrations and models",
    needs: ["postgresql"],
    start: "in its turn",
    run: check("scripts/migration.mjs", ["check"]),
    // In a complete test run, src/kernel/db/drift.postgresql.test.ts checks whether the migrations match the
    // models.
    apart: true,
  },
  {
    name: "vitest",
    label: "Unit and service tests",
    needs: ["postgresql"],
    start: "with PostgreSQL",
    run: vitest,
  },
  {
    name: "playwright",
    label: "Contract and browser tests",
    needs: ["pages", "browser", "postgresql"],
    start: "after the build",
    run: playwright,
  },
  {
    name: "unit",
    label: "Unit tests",
    needs: [],
    start: "in its turn",
    run: (args) => vitest(["--project", "unit", ...args]),
    apart: true,
  },
  {
    name: "service",
    label: "Service tests",
    needs: ["postgresql"],
    start: "in its turn",
    run: (args) => vitest([...["sqlite*", "postgresql"].flatMap((name) => ["--project", name]), ...args]),
    apart: true,
  },
  {
    name: "long",
    label: "Long properties",
    needs: ["postgresql"],
    start: "in its turn",
    run: (args) => vitest([...LONG_TESTS, ...args], LONG),
    apart: true,
  },
  {
    name: "long",
    label: "Long races",
    needs: ["pages", "browser", "postgresql"],
    start: "in its turn",
    run: (args) => playwright([...LONG_SPECS, ...args], LONG),
    apart: true,
  },
]);
