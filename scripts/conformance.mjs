// Writes anew which specs prove the requirements of docs/conformance.md: `node scripts/conformance.mjs`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const DOCUMENT = "docs/conformance.md";
/** Below this heading stands what no spec proves, with the reason; it is kept by hand. */
const BY_HAND = "\n## Not met\n";

/** What ids look like in the name of a test. */
const NAMED = /\[([A-Z]{2}-\d\d(?:, [A-Z]{2}-\d\d)*)\]/g;
const ROW = /^\| ([A-Z]{2}-\d\d) \| (.*?) \|(?: [^|]*\|)?$/;

/**
 * The document with the specs that name each requirement.
 * @param {string} document
 * @param {ReadonlyMap<string, string>} specs what each spec says, by its path
 * @returns {{ document: string, problems: readonly string[] }}
 */
export function renewed(document, specs) {
  const proofs = proofsIn(specs);
  /** @type {string[]} */
  const problems = [];
  /** @type {Set<string>} */
  const rows = new Set();
  const [table = "", ...kept] = document.split(BY_HAND);
  const lines = table.split("\n").map((line) => {
    const [, id, requirement] = ROW.exec(line) ?? [];
    if (id === undefined) return line;
    if (rows.has(id)) problems.push(`${id} is there twice.`);
    rows.add(id);
    const files = proofs.get(id) ?? [];
    if (files.length === 0)
      problems.push(`${id} is named by no spec: name it there, or move it to "Not met".`);
    const links = files.map((file) => `[${basename(file)}](../${file})`);
    return `| ${id} | ${requirement} | ${links.join("<br>")} |`;
  });
  for (const [id, files] of proofs)
    if (!rows.has(id)) problems.push(`${id} has no row, and ${files.join(", ")} names it: write one.`);
  return { document: [lines.join("\n"), ...kept].join(BY_HAND), problems };
}

/** @param {ReadonlyMap<string, string>} specs */
function proofsIn(specs) {
  /** @type {Map<string, string[]>} */
  const proofs = new Map();
  for (const [file, text] of specs) {
    const ids = [...text.matchAll(NAMED)].flatMap(([, list = ""]) => list.split(", "));
    for (const id of new Set(ids)) proofs.set(id, [...(proofs.get(id) ?? []), file]);
  }
  return proofs;
}

/**
 * Every spec of the project with what it says, in the order of their paths.
 * @returns {ReadonlyMap<string, string>}
 */
export function readSpecs() {
  const files = ["app", "e2e", "src"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && file !== "conformance.test.ts")
      .map((file) => relative(ROOT, join(ROOT, folder, file))),
  );
  return new Map(files.toSorted().map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(ROOT, DOCUMENT);
  const { document, problems } = renewed(readFileSync(file, "utf8"), readSpecs());
  writeFileSync(file, document);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
