import "./prepare-node.mjs";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { startFilled, startGatehouse } from "../bench/gatehouse.mjs";
import { measure } from "../bench/measure.mjs";
import { MEDIAN_MS_MAX, measurePages } from "../bench/pages.mjs";
import { startPeer } from "../bench/peer.mjs";
import { missed, report, reportPages, writeBetweenMarkers } from "../bench/report.mjs";
import { ROWS, SERVERS } from "../bench/rows.mjs";
import { prepare } from "./prepare.mjs";
import { ROOT, StepFailed, step } from "./prepare-step.mjs";
import { temporarily } from "./temporarily.mjs";

const DOCUMENT = "docs/benchmarks.md";
/** The name of what is no comparison: how long pages take. */
const PAGES = "pages";
const args = process.argv.slice(2);

const START = {
  gatehouse: startGatehouse,
  peer: startPeer,
  fewTokens: (folder, later) => startFilled(folder, later, 10),
  manyTokens: (folder, later) => startFilled(folder, later, 1_000_000),
};

process.chdir(ROOT);
try {
  const rows = chosenRows();
  await prepare({ pages: true });
  const held = await temporarily({ interruptedStatus: 130 }, (folder, later) => bench(rows, folder, later));
  process.exitCode = held ? 0 : 1;
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** All rows, or the one that is named; none of them for `pages`. */
function chosenRows() {
  const strange = args.find((argument) => argument.startsWith("-") && argument !== "--write");
  if (strange !== undefined) throw new StepFailed(`There is no option ${strange}; there is --write.`);
  const name = args.filter((argument) => argument !== "--write").join(" ");
  if (name === "") return ROWS;
  if (args.includes("--write")) throw new StepFailed("Only a run of all rows can be written down.");
  if (name === PAGES) return [];
  const rows = ROWS.filter((row) => row.name.toLowerCase() === name.toLowerCase());
  if (rows.length > 0) return rows;
  throw new StepFailed(`There is no row "${name}". There are: ${ROWS.map((row) => row.name).join("; ")}.`);
}

/**
 * @param {typeof ROWS} rows
 * @param {string} folder
 * @param {(undo: () => unknown) => void} later
 * @returns {Promise<boolean>} whether every target was reached.
 */
async function bench(rows, folder, later) {
  const [loadBefore = 0] = loadavg();
  const servers = {};
  for (const name of new Set(rows.flatMap(({ calls }) => calls.map(({ server }) => server))))
    servers[name] = await step(`Starting ${SERVERS[name]}`, () => START[name](folder, later));
  const tell = (line) => process.stderr.write(`${line}\n`);
  const measured = await measure(rows, servers, { later, tell });
  const { version: peerVersion } = JSON.parse(
    readFileSync("node_modules/oidc-provider/package.json", "utf8"),
  );
  const compared = rows.length === 0 ? "" : report(measured, { loadBefore, peerVersion, date: new Date() });
  const pages = rows.length === 1 ? [] : await step("Looking at pages", () => measurePages(folder, later));
  const slow = pages.filter(({ median }) => median > MEDIAN_MS_MAX);
  const text = [compared, pages.length === 0 ? "" : reportPages(pages)].filter(Boolean).join("\n");
  console.log(`\n${text}`);
  for (const { row } of missed(measured)) console.log(`"${row.name}" is below its target of ${row.target}.`);
  for (const { page } of slow) console.log(`${page} takes longer than ${MEDIAN_MS_MAX} ms.`);
  if (args.includes("--write")) writeBetweenMarkers(DOCUMENT, text);
  return missed(measured).length === 0 && slow.length === 0;
}
