import "../scripts/prepare-node.mjs";
import { writeGeneratedPart } from "../scripts/generated-part.mjs";
import { prepare } from "../scripts/prepare.mjs";
import { ROOT, runCommand, StepFailed } from "../scripts/prepare-step.mjs";
import { temporarily } from "../scripts/temporarily.mjs";
import { measureRows, PARTS } from "./parts.mjs";
import { ROWS } from "./rows.mjs";

const DOCUMENT = "docs/benchmarks.md";
/**
 * The options. `--write` writes the tables into `docs/benchmarks.md`; `--small` measures the endpoints with
 * little data, in about a minute.
 */
const WRITE = "--write";
const SMALL = "--small";
const args = process.argv.slice(2);
const named = args.filter((argument) => ![WRITE, SMALL].includes(argument)).join(" ");

process.chdir(ROOT);
await runCommand(async () => {
  const parts = chosenParts();
  await prepare({ pages: true, packages: "development" });
  /** @type {string[]} */
  const problems = [];
  for (const [name, part] of parts) {
    const size = args.includes(SMALL) ? "small" : "full";
    const report = await temporarily({ interruptedStatus: 130 }, (folder, later) =>
      part(folder, later, { size }),
    );
    console.log(`\n${report.text}`);
    problems.push(...report.problems);
    if (args.includes(WRITE)) writeGeneratedPart(DOCUMENT, `npm run bench -- ${name} --write`, report.text);
  }
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
});

/**
 * Returns the part or the row of the benchmark that the arguments name, or all parts if there are no
 * arguments.
 * @returns {readonly [string, import("./parts.mjs").Part][]}
 */
function chosenParts() {
  const strange = args.find((argument) => argument.startsWith("-") && ![WRITE, SMALL].includes(argument));
  if (strange !== undefined)
    throw new StepFailed(`Unknown option ${strange}. The options are ${WRITE} and ${SMALL}.`);
  if (args.includes(SMALL) && (named !== "endpoints" || args.includes(WRITE)))
    throw new StepFailed(
      `${SMALL} is only possible for the part "endpoints", and not together with ${WRITE}.`,
    );
  if (named === "") return [...PARTS];
  const part = PARTS.get(named);
  if (part !== undefined) return [[named, part]];
  if (args.includes(WRITE)) throw new StepFailed(`${WRITE} is not possible for a single row.`);
  const rows = ROWS.filter((row) => row.name.toLowerCase() === named.toLowerCase());
  if (rows.length > 0) return [[named, (folder, later) => measureRows(rows, folder, later)]];
  throw new StepFailed(
    `Unknown part or row "${named}". Parts: ${[...PARTS.keys()].join("; ")}. Rows: ${ROWS.map((row) => row.name).join("; ")}.`,
  );
}
