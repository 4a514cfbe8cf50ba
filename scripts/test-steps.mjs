import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { capture, ROOT } from "./prepare-step.mjs";

/**
 * @typedef {{ passed: number, failed: number, flaky?: number, output: string }} Result
 * @typedef {{ name: string, label: string, needs: readonly ("browser" | "postgresql")[], run: (args: readonly string[]) => Promise<Result> }} Step
 */

/**
 * A check without tests of its own counts as one.
 * @param {string} script
 * @param {readonly string[]} args
 */
const check = (script, args) => async (/** @type {readonly string[]} */ more) => {
  const { code, output } = await capture(process.execPath, [script, ...args, ...more]);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
};

/** @param {readonly string[]} args */
async function vitest(args) {
  const report = reportFile("vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await capture(process.execPath, [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...reporters,
    ...args,
  ]);
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readReport(report);
  const unread = testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === "failed" && file.assertionResults.length === 0,
  );
  return counted(numPassedTests, numFailedTests + unread.length, code, output);
}

/** @param {readonly string[]} args */
async function playwright(args) {
  const report = reportFile("playwright.json");
  const { code, output } = await capture(
    process.execPath,
    ["node_modules/@playwright/test/cli.js", "test", "--reporter=list,json", ...args],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report, FORCE_COLOR: "0" },
  );
  const { expected = 0, unexpected = 0, flaky = 0 } = readReport(report).stats ?? {};
  return { ...counted(expected + flaky, unexpected, code, output), flaky };
}

/**
 * A run that failed outside of any test has failed once.
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

/** In this order; `npm test -- <name>` runs one of them, and passes it what follows. */
export const STEPS = /** @type {readonly Step[]} */ ([
  {
    name: "lint",
    label: "Lint and format",
    needs: [],
    run: check("node_modules/@biomejs/biome/bin/biome", ["check"]),
  },
  { name: "knip", label: "Dead code", needs: [], run: check("node_modules/knip/bin/knip.js", []) },
  {
    name: "types",
    label: "Types",
    needs: [],
    run: check("node_modules/typescript/bin/tsc", ["--noEmit", "-p", "."]),
  },
  {
    name: "migrations",
    label: "Migrations and models",
    needs: ["postgresql"],
    run: check("scripts/migration.mjs", ["check"]),
  },
  { name: "vitest", label: "Unit and service tests", needs: ["postgresql"], run: vitest },
  {
    name: "playwright",
    label: "Contract and browser tests",
    needs: ["browser", "postgresql"],
    run: playwright,
  },
]);
