import { parseAst } from "vitest/node";

/**
 * @typedef {{ id: string, file: string, title: string, skipped: boolean }} RuleTest a test that checks a rule.
 */
/** @typedef {Readonly<Record<string, unknown>> & { type: string }} Node of the syntax tree (ESTree) */
/** @typedef {{ groups: readonly string[], title: string | null, skipped: boolean, variable: string | null }} Place */

const RUNNERS = new Set(["it", "test", "describe", "suite", "bench"]);
const GROUPS = new Set(["describe", "suite"]);
const SKIPPED = new Set(["skip", "todo", "fixme", "fails", "fail"]);
const MODIFIERS = new Set([
  ...[
    "describe",
    "only",
    "concurrent",
    "sequential",
    "serial",
    "parallel",
    "shuffle",
    "each",
    "for",
    "skipIf",
  ],
  ...["runIf", "slow", ...SKIPPED],
]);

/**
 * Returns the calls of `conformance` in a test file, each with the title of its test.
 * @param {string} file
 * @param {string} text
 * @returns {RuleTest[]}
 */
export function ruleTestsIn(file, text) {
  if (!text.includes("conformance(")) return [];
  /** @type {{ ids: readonly string[], title: string, place: Place }[]} */
  const calls = [];
  /**
   * The tests whose rows are in a variable. The map contains the groups and the title of a test by the name
   * of the variable. @type {Map<string, Place>}
   */
  const tables = new Map();
  walk(parseAst(text, { lang: file.endsWith("x") ? "tsx" : "ts" }).body, {
    groups: [],
    title: null,
    skipped: false,
    variable: null,
  });
  return calls.flatMap(({ ids, title, place }) => {
    const table = place.title === null && place.variable !== null ? tables.get(place.variable) : undefined;
    const { groups, title: test, skipped } = table ?? place;
    const own = test === null || test === title ? title : test.replace(/%[a-z]|\$\w+/, () => title);
    const full = [...groups, ...(own === groups.at(-1) ? [] : [own])].join(": ");
    return ids.map((id) => ({ id, file, title: full, skipped }));
  });

  /** @param {unknown} node @param {Place} place */
  function walk(node, place) {
    if (Array.isArray(node)) for (const child of node) walk(child, place);
    if (!isNode(node)) return;
    const within = placeIn(node, place);
    const named = namedBy(node);
    if (named !== null) calls.push({ ...named, place: within });
    else for (const child of Object.values(node)) walk(child, within);
  }

  /** @param {Node} node @param {Place} place @returns {Place} */
  function placeIn(node, place) {
    if (node.type === "VariableDeclarator" && isNode(node["id"]) && place.title === null)
      return { ...place, variable: typeof node["id"]["name"] === "string" ? node["id"]["name"] : null };
    const runner = runnerOf(node);
    if (runner === null) return place;
    const skipped = place.skipped || runner.names.some((name) => SKIPPED.has(name));
    const title = titleOf(argumentsOf(node)[0]);
    if (runner.names.some((name) => GROUPS.has(name)))
      return { ...place, skipped, groups: title === null ? place.groups : [...place.groups, title] };
    const test = { ...place, skipped, title: title ?? place.title };
    if (runner.table !== null) tables.set(runner.table, test);
    return test;
  }
}

/**
 * Returns the function names in a call such as `test.describe.skip("…")` or `it.each(ROWS)("…")`. Also
 * returns the name of the variable that contains the test rows.
 * @param {Node} node
 * @returns {{ names: string[], table: string | null } | null} null for other calls.
 */
function runnerOf(node) {
  if (node.type !== "CallExpression") return null;
  /** @type {string[]} */
  const names = [];
  let table = null;
  let callee = node["callee"];
  while (isNode(callee) && callee.type !== "Identifier") {
    if (callee.type === "CallExpression") {
      const [rows] = argumentsOf(callee);
      if (isNode(rows) && rows.type === "Identifier") table = String(rows["name"]);
      callee = callee["callee"];
    } else if (callee.type === "MemberExpression" && isNode(callee["property"])) {
      names.push(String(callee["property"]["name"]));
      callee = callee["object"];
    } else return null;
  }
  if (!isNode(callee) || !RUNNERS.has(String(callee["name"]))) return null;
  if (!names.every((name) => MODIFIERS.has(name))) return null;
  return { names: [...names, String(callee["name"])], table };
}

/** Returns the ids and the title of a call of `conformance`. @param {Node} node */
function namedBy(node) {
  const callee = node["callee"];
  if (node.type !== "CallExpression" || !isNode(callee) || callee["name"] !== "conformance") return null;
  const all = argumentsOf(node);
  const ids = all.slice(0, -1).map((argument) => (isNode(argument) ? String(argument["value"]) : ""));
  return { ids, title: titleOf(all.at(-1)) ?? "" };
}

/** @param {unknown} node @returns {string | null} */
function titleOf(node) {
  if (!isNode(node)) return null;
  if (node.type === "Literal") return String(node["value"]);
  if (node.type === "TemplateLiteral") return templateOf(node);
  return namedBy(node)?.title ?? null;
}

/** Returns the text of a template literal, with the names of its variables. @param {Node} node */
function templateOf(node) {
  const texts = /** @type {{ value: { cooked: string } }[]} */ (node["quasis"]).map(
    (quasi) => quasi.value.cooked,
  );
  const names = /** @type {Node[]} */ (node["expressions"]).map(
    (expression) => `<${expression["name"] ?? "…"}>`,
  );
  return texts.map((text, index) => text + (names[index] ?? "")).join("");
}

/** @param {Node} node */
const argumentsOf = (node) => /** @type {readonly unknown[]} */ (node["arguments"]);

/** @param {unknown} node @returns {node is Node} */
const isNode = (node) => typeof node === "object" && node !== null && "type" in node;
