// Writes docs/conformance.md from the catalog of rules and the tests of the rules: `node scripts/conformance.mjs`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PLAN_MODULES } from "./conformance-catalog/certification-plans.mjs";
import { CHAPTERS, NOT_MET } from "./conformance-catalog.mjs";
import { ruleTestsIn } from "./conformance-tests.mjs";

/** @import { PlanId } from "./conformance-catalog/certification-plans.mjs" */
/** @import { Requirement } from "./conformance-catalog.mjs" */
/** @import { RuleTest } from "./conformance-tests.mjs" */

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
const DOCUMENT = join(ROOT, "docs", "conformance.md");
const DECISIONS = readdirSync(join(ROOT, "docs", "decisions"));

const INTRODUCTION = `# Conformance

The tables list the rules of the protocols and of the product. Each row contains a request or situation, the expected
result, the section of the RFC or document that requires this result, and the tests that check the rule. The id of a rule
consists of two letters for the endpoint or the subject, and a number. *Gatehouse specification* is the document that
defines the product; the words after this name are the title of a section.

\`scripts/conformance-catalog\` has a file with the rules of each chapter. The title of a test names the rules that the test
checks, with the call \`conformance("AZ-12", "title of the test")\`. \`node scripts/conformance.mjs\` generates this page from
the rules and the tests. The build fails if a rule has no test, or if a test of a rule is skipped. Rules without a test are
listed at the end, with the reason.
`;

/**
 * Returns the text of docs/conformance.md, and a list of problems: rules and modules of certification plans
 * without a test, tests of unknown rules and modules, and skipped tests.
 * @param {Readonly<Record<string, Readonly<Record<string, Requirement>>>>} chapters the rules of each heading
 * @param {readonly RuleTest[]} ruleTests
 * @returns {{ document: string, problems: readonly string[] }}
 */
export function conformanceDocument(chapters, ruleTests) {
  const requirements = Object.assign({}, ...Object.values(chapters));
  const byId = grouped(ruleTests, ({ id }) => id);
  /** @type {string[]} */
  const problems = [];
  for (const [id, of] of byId)
    if (!Object.hasOwn(requirements, id))
      problems.push(
        `The rule ${id} is not in the catalog, but is named in: ${of.map(({ file }) => file).join(", ")}.`,
      );
  for (const id of Object.keys(requirements)) {
    const running = (byId.get(id) ?? []).filter(({ skipped }) => !skipped);
    if (running.length === 0) problems.push(`${id}: no test checks this rule.`);
  }
  for (const { id, file, title, skipped } of ruleTests)
    if (skipped) problems.push(`${id}: the test "${title}" in ${file} is skipped.`);
  const sections = Object.entries(chapters).map(([heading, chapter]) => {
    const rows = Object.entries(chapter).map(([id, requirement]) =>
      rowOf(id, requirement, byId.get(id) ?? []),
    );
    return `\n## ${heading}\n\n| id | rule | expected result | section | tests |\n|---|---|---|---|---|\n${rows.join("")}`;
  });
  const plans = planFiles(ruleTests).map(({ id, file, text }) => certificationPlan(id, file, text));
  problems.push(...plans.flatMap((plan) => plan.problems));
  const tables = plans.map(({ table }) => table);
  return { document: [INTRODUCTION, ...sections, ...tables, notMet()].join(""), problems };
}

/**
 * @param {string} id
 * @param {Requirement} requirement
 * @param {readonly RuleTest[]} ruleTests
 */
function rowOf(id, { rule, expected, source }, ruleTests) {
  const running = ruleTests.filter(({ skipped }) => !skipped);
  const files = [...grouped(running, ({ file }) => file)].map(([file, of]) => {
    const titles = [...new Set(of.map(({ title }) => title))].map(escaped);
    return `[${basename(file)}](../${file}): ${titles.join("; ")}`;
  });
  return `| ${id} | ${rule} | ${expected} | ${linked(source)} | ${files.join("<br>")} |\n`;
}

/**
 * Returns the test file of each certification plan, with the id of the rule. The text includes the file that
 * declares modules for several plans, if the test file imports this file.
 * @param {readonly RuleTest[]} ruleTests
 * @returns {readonly { id: PlanId, file: string, text: string }[]}
 */
const planFiles = (ruleTests) =>
  ruleTests.flatMap(({ id, file }) => {
    if (!isPlan(id)) return [];
    const text = readFileSync(join(ROOT, file), "utf8");
    const shared = /from "\.\/([a-z-]+-modules\.ts)"/.exec(text)?.[1];
    const modules = shared === undefined ? "" : readFileSync(join(ROOT, file, "..", shared), "utf8");
    return [{ id, file, text: text + modules }];
  });

/** @param {string} id @returns {id is PlanId} */
const isPlan = (id) => Object.hasOwn(PLAN_MODULES, id);

/**
 * Returns the table of a certification plan, which lists the modules of the plan, and a list of problems. The
 * test file names the plan in the first comment, and each module in a string.
 * @param {PlanId} id
 * @param {string} file
 * @param {string} text
 */
export function certificationPlan(id, file, text) {
  const plan = /^\/\/ The modules of the (.+?) of the OpenID Foundation/.exec(text)?.[1];
  if (plan === undefined) throw new Error(`${file} does not name a certification plan in the first line.`);
  const calls = [...text.matchAll(/module\(\s*(?:"(oidcc-[a-z0-9-]+)"|name),\s*"([^"]+)"/g)];
  /** @type {Map<string, string>} */
  const checks = new Map();
  for (const { index, 1: name = "" } of text.matchAll(/"(oidcc-[a-z0-9-]+)"/g)) {
    // If a table of test rows names a module, the module gets the title of the first test below this table.
    const call = calls.find(({ 1: own, index: at }) => own === name || (own === undefined && at > index));
    if (call !== undefined) checks.set(name, escaped(call[2] ?? ""));
  }
  /** @type {readonly string[]} */
  const modules = PLAN_MODULES[id];
  const problems = [
    ...modules.filter((name) => !checks.has(name)).map((name) => `${id}: ${file} has no test of ${name}.`),
    ...[...checks.keys()]
      .filter((name) => !modules.includes(name))
      .map((name) => `${id}: the plan of ${file} has no module ${name}.`),
  ];
  const rows = modules.map((name) => `| \`${name}\` | ${checks.get(name) ?? ""} |\n`);
  const table = `\n### ${plan}\n\nThe tests in [${basename(file)}](../${file}) send HTTP requests without a web browser.\n\n| module | check |\n|---|---|\n${rows.join("")}`;
  return { table, problems };
}

function notMet() {
  const rows = Object.entries(NOT_MET).map(
    ([id, { rule, expected, source, why }]) =>
      `| ${id} | ${rule} | ${expected} | ${linked(source)} | ${why} |\n`,
  );
  return `\n## Not met\n\n| id | rule | expected result | section | reason |\n|---|---|---|---|---|\n${rows.join("")}`;
}

/**
 * Returns the text of the column "section" of a rule, in which the name of each decision is a link.
 * @param {string} source
 */
const linked = (source) =>
  source.replaceAll(/decision (\d{4})/g, (text, number) => {
    const file = DECISIONS.find((name) => name.startsWith(`${number}-`));
    if (file === undefined) throw new Error(`docs/decisions/ has no ${text}.`);
    return `[${text}](decisions/${file})`;
  });

/**
 * Groups the tests of rules by a key, and keeps the order of the tests.
 * @param {readonly RuleTest[]} ruleTests
 * @param {(ruleTest: RuleTest) => string} keyOf
 */
function grouped(ruleTests, keyOf) {
  /** @type {Map<string, RuleTest[]>} */
  const groups = new Map();
  for (const ruleTest of ruleTests)
    groups.set(keyOf(ruleTest), [...(groups.get(keyOf(ruleTest)) ?? []), ruleTest]);
  return groups;
}

/** Returns a title as the text of a table cell. @param {string} title */
const escaped = (title) => title.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("*", "\\*");

/**
 * Returns the path and the text of each test file of the project, in the order of the paths.
 * @returns {readonly { file: string, text: string }[]}
 */
export const projectTests = () =>
  ["app", "e2e", "src"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && file !== "conformance.test.ts")
        .map((file) => relative(ROOT, join(ROOT, folder, file))),
    )
    .toSorted()
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));

/** Returns all calls of `conformance` in the tests of the project. */
export const projectRuleTests = () => projectTests().flatMap(({ file, text }) => ruleTestsIn(file, text));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { document, problems } = conformanceDocument(CHAPTERS, projectRuleTests());
  writeFileSync(DOCUMENT, document);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
