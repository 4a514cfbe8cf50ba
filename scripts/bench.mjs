import "./prepare-node.mjs";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { measure } from "../bench/measure.mjs";
import { missed, report, writeBetweenMarkers } from "../bench/report.mjs";
import { ROWS } from "../bench/rows.mjs";
import { startOurs, startPeer } from "../bench/sides.mjs";
import { prepare } from "./prepare.mjs";
import { ROOT, StepFailed, step } from "./prepare-step.mjs";
import { temporarily } from "./temporarily.mjs";

const DOCUMENT = "docs/benchmarks.md";
const args = process.argv.slice(2);

process.chdir(ROOT);
try {
  const strange = args.find((argument) => argument !== "--write");
  if (strange !== undefined) throw new StepFailed(`There is no option ${strange}; there is --write.`);
  await prepare({ pages: true });
  const measured = await temporarily({ interruptedStatus: 130 }, bench);
  process.exitCode = missed(measured).length === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}

/**
 * @param {string} folder
 * @param {(undo: () => unknown) => void} later
 */
async function bench(folder, later) {
  const [loadBefore = 0] = loadavg();
  const ours = await step("Starting Gatehouse", () => startOurs(folder, later));
  const peer = await step("Starting oidc-provider", () => startPeer(folder, later));
  const tell = (line) => process.stderr.write(`${line}\n`);
  const measured = await measure(ROWS, { ours, peer }, { later, tell });
  const { version: peerVersion } = JSON.parse(
    readFileSync("node_modules/oidc-provider/package.json", "utf8"),
  );
  const text = report(measured, { loadBefore, peerVersion, date: new Date() });
  console.log(`\n${text}`);
  for (const { row } of missed(measured)) console.log(`"${row.name}" is below its target of ${row.target}.`);
  if (args.includes("--write")) writeBetweenMarkers(DOCUMENT, text);
  return measured;
}
