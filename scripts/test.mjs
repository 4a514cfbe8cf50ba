import "./prepare-node.mjs";
import { REQUIREMENTS } from "./conformance-catalog.mjs";
import { prepare } from "./prepare.mjs";
import { ROOT, StepFailed, secondsSince } from "./prepare-step.mjs";
import { ensureBrowser } from "./test-browser.mjs";
import { summaryOf, unprovedRules } from "./test-skips.mjs";
import { STEPS } from "./test-steps.mjs";
import { ensureTools } from "./test-tools.mjs";

/** @import { Result, Step } from "./test-steps.mjs" */

process.chdir(ROOT);
process.env["NEXT_TELEMETRY_DISABLED"] = "1";

const [name, ...args] = process.argv.slice(2);
const steps = STEPS.filter((step) => (name === undefined ? !step.apart : step.name === name));
if (steps.length === 0) {
  console.error(`Unknown step "${name}". Steps: ${[...new Set(STEPS.map((step) => step.name))].join(", ")}.`);
  process.exit(2);
}

/** The maximum number of failed tests that the end of the report names. */
const FAILURES_SHOWN_MAX = 50;

const total = { passed: 0, failed: 0, notRunnable: 0 };
/**
 * The passed and the skipped tests of all steps. These tests determine which conformance rules were checked.
 */
const run = {
  passed: /** @type {string[]} */ ([]),
  skipped: /** @type {import("./test-skips.mjs").Skipped[]} */ ([]),
};
/** The failed tests of all steps, each with the label of its step. @type {string[]} */
const failedTests = [];
let postgres = /** @type {import("./postgres.mjs").PostgresServer | null} */ (null);
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, async () => {
    await postgres?.stop();
    process.exit(130);
  });

/** The steps that are running or have run. @type {Map<Step, Promise<Result & { seconds: string }>>} */
const started = new Map();

try {
  await prepare({ pages: false, packages: "development" });
  startAll("at the start");
  const needs = new Set(steps.flatMap((current) => current.needs));
  if (needs.has("postgresql")) await startServers();
  startAll("with PostgreSQL");
  if (needs.has("browser")) await ensureBrowser();
  if (needs.has("pages")) await prepare({ pages: true, packages: "development" });
  startAll("after the build");
  for (const current of steps) await report(current);
  // A single test step checks only some of the conformance rules.
  if (name === undefined) reportUnproved();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  total.failed += 1;
  console.log(error instanceof StepFailed ? error.message : error.stack);
} finally {
  await postgres?.stop();
}
reportFailedTests();
const notRunnable = total.notRunnable === 0 ? "" : `, ${total.notRunnable} not runnable on this machine`;
console.log(`${total.passed} passed, ${total.failed} failed${notRunnable}`);
process.exit(total.failed === 0 ? 0 : 1);

/** @param {Step["start"]} when */
function startAll(when) {
  for (const current of steps.filter(({ start }) => start === when)) void resultOf(current);
}

/** Returns the result of a test step, and starts the step if it is not running yet. @param {Step} current */
function resultOf(current) {
  const startedAt = performance.now();
  const result =
    started.get(current) ?? current.run(args).then((done) => ({ ...done, seconds: secondsSince(startedAt) }));
  started.set(current, result);
  return result;
}

async function startServers() {
  await ensureTools();
  const { startPostgres } = await import("./postgres.mjs");
  postgres = await startPostgres();
  // The processes of the test steps use this PostgreSQL server and do not start another server.
  process.env["GATEHOUSE_TEST_PG_URL"] = postgres.url("postgres");
}

/** @param {Step} current */
async function report(current) {
  process.stdout.write(`${current.label} … `);
  const {
    passed,
    failed,
    titles = [],
    failures = [],
    skipped = [],
    output,
    seconds,
  } = await resultOf(current);
  const { lines, undeclared } = summaryOf(skipped);
  run.passed.push(...titles);
  run.skipped.push(...skipped);
  if (failed > 0)
    failedTests.push(
      ...(failures.length === 0 ? ["see the output above"] : failures).map(
        (title) => `${current.label}: ${title}`,
      ),
    );
  total.passed += passed;
  total.failed += failed + undeclared.length;
  total.notRunnable += skipped.length - undeclared.length;
  process.stdout.write(`${passed} passed, ${failed} failed, ${seconds} s\n`);
  if (failed > 0) process.stdout.write(`${output.trimEnd()}\n`);
  for (const title of undeclared)
    process.stdout.write(`This test was skipped without an allowed reason: ${title}\n`);
  for (const line of lines) process.stdout.write(`${line}\n`);
}

/**
 * Prints the rules of docs/conformance.md that this run did not check. Each of these rules causes the run to
 * fail, even if no test failed.
 */
function reportUnproved() {
  const unproved = unprovedRules(Object.keys(REQUIREMENTS), run);
  for (const sentence of unproved) process.stdout.write(`${sentence}\n`);
  if (total.failed === 0) total.failed = unproved.length;
}

/** Names the failed tests again, because a log that is cut off often contains only the end of the output. */
function reportFailedTests() {
  if (failedTests.length === 0) return;
  process.stdout.write("Failed tests:\n");
  for (const test of failedTests.slice(0, FAILURES_SHOWN_MAX)) process.stdout.write(`- ${test}\n`);
  const more = failedTests.length - FAILURES_SHOWN_MAX;
  if (more > 0) process.stdout.write(`and ${more} more.\n`);
}
