// Runs the fault tests, `npm run test:faults`. With `--write`, the observations of the run replace the
// corresponding rows in docs/reliability.md. Other arguments, such as the name of a file, are passed on to
// Vitest.
import "../../scripts/prepare-node.mjs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { writeGeneratedPart } from "../../scripts/generated-part.mjs";
import { prepare } from "../../scripts/prepare.mjs";
import { ROOT, runCommand } from "../../scripts/prepare-step.mjs";

const DOCUMENT = "docs/reliability.md";
const COMMAND = "npm run test:faults -- --write";
const RECORD = ".cache/faults.jsonl";
const WRITE = "--write";
const HEADER = "| case | expected | responses | probes | warnings and errors in the log | recovery | date |";

const args = process.argv.slice(2);
const filters = args.filter((argument) => argument !== WRITE);

process.chdir(ROOT);
await runCommand(async () => {
  await prepare({ pages: true, packages: "development" });
  rmSync(RECORD, { force: true });
  const status = await runTests();
  // A failed test records nothing, so the table row of its fault keeps the date of the last success.
  if (args.includes(WRITE) && existsSync(RECORD))
    writeGeneratedPart(DOCUMENT, COMMAND, report(readFileSync(DOCUMENT, "utf8")));
  process.exitCode = status;
});

/** Runs Vitest, which prints a line for each test. @returns {Promise<number>} the exit status of Vitest. */
async function runTests() {
  const command = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "e2e/outages/vitest.config.mts",
    ...filters,
  ];
  // The fault tests stop their database servers, so these tests do not use a PostgreSQL server that is
  // already running.
  const env = { ...process.env, FAULTS_RECORD_FILE: RECORD, GATEHOUSE_TEST_PG_URL: undefined };
  const child = spawn(process.execPath, command, { env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code ?? 1;
}

/**
 * Returns the table with the observations of this run. The rows of faults whose tests did not run remain,
 * with their dates.
 * @param {string} document
 */
function report(document) {
  const today = new Date().toISOString().slice(0, 10);
  const lines = readFileSync(RECORD, "utf8").trim().split("\n");
  const rows = new Map(rowsOf(document).map((row) => [caseOf(row), row]));
  for (const line of lines) {
    /** @type {import("./record.ts").Observation} */
    const { fault, database, expected, responses, readiness, log, recovery } = JSON.parse(line);
    const row = `| ${[`${fault}, ${database}`, expected, responses, readiness, log, recovery, today].join(" | ")} |`;
    rows.set(caseOf(row), row);
  }
  const [processor] = cpus();
  const machine = `${cpus().length} cores (${processor?.model.trim()}), ${Math.round(totalmem() / 1024 ** 3)} GB`;
  return [
    HEADER,
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...[...rows.values()].toSorted(),
    "",
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${machine}.`,
    "",
  ].join("\n");
}

/**
 * Returns the rows of the table in docs/reliability.md.
 * @param {string} document
 * @returns {readonly string[]}
 */
function rowsOf(document) {
  const [, table] = document.split(HEADER);
  return (table ?? "")
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("| "));
}

/** Returns the first cell of a table row. @param {string} row */
function caseOf(row) {
  return row.split(" | ", 1)[0] ?? "";
}
