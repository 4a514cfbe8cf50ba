import { posix } from "node:path";
import { folderCycles, type Import } from "./folder-cycles.ts";
import { MODELS, misplacedTables, modelsTouchedIn } from "./tables.ts";

/** The text of each source file, by its path in the project. */
export type Sources = ReadonlyMap<string, string>;

/**
 * The areas from the lowest to the highest level. An area imports only areas of lower levels; `app` may
 * import all areas.
 */
const LEVELS: readonly (readonly string[])[] = [
  ["kernel"],
  ["access", "ui"],
  ["http-api"],
  ["instance"],
  ["identity"],
  ["oauth"],
  ["oauth-endpoints"],
  ["workspace"],
  ["code", "registries", "error-tracking", "fleet"],
  ["review"],
  ["webhooks"],
  ["operations"],
  ["server"],
  ["cli"],
];

const TABLE_IN_SQL = new RegExp(`"(?:${MODELS.join("|")})"`);
const TECHNIQUES = /^(?:helpers?|utils?|mappers?|common|misc|shared)$/;

/** Matches the files that may import Next, because these files run only under Next. */
const KNOWS_NEXT =
  /^app\/(?:.*\/)?(?!route\.ts$)[^/]+$|^app\/api\/auth\/\[\.\.\.nextauth\]\/route\.ts$|^src\/[^/]+\/[^/]+\/(?:loaders\.ts|actions\.ts|components\/.+)$|^src\/ui\/|^src\/server\/next-app\.ts$/;

type File = Readonly<{ path: string; text: string; imports: readonly string[] }>;
type Rule = (file: File) => readonly string[];

/** Returns the violations of the architecture rules, each as `path: description`. */
export function findingsIn(sources: Sources): readonly string[] {
  const files = [...sources].map(([path, text]) => ({ path, text, imports: importsOf(path, text) }));
  const ofFiles = files.flatMap((file) =>
    RULES.flatMap((rule) => rule(file)).map((finding) => `${file.path}: ${finding}`),
  );
  return [...ofFiles, ...cyclesBetween(files)];
}

function cyclesBetween(files: readonly File[]): readonly string[] {
  const imports = files
    .filter(({ path }) => path.startsWith("src/") && !isTest(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith("src/") && !target.includes("/generated/"))
        .filter((target) => areaOf(target) === areaOf(path))
        .map((target): Import => [path, target]),
    );
  return folderCycles(imports).map((cycle) => `these folders import each other in a cycle: ${cycle}`);
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith("src/testing/");
const areaOf = (path: string): string =>
  /^src\/([^/]+)\//.exec(path)?.[1] ?? (path.startsWith("app/") ? "app" : "");
const levelOf = (path: string): number => LEVELS.findIndex((areas) => areas.includes(areaOf(path)));

/** Returns the imports of a file: paths in the project and names of packages. */
export function importsOf(path: string, text: string): readonly string[] {
  const matches = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"]+)"/g);
  return [...matches].map(([, target = ""]) => {
    if (target.startsWith("@/")) return `src/${target.slice(2)}`;
    if (target.startsWith("@app/")) return `app/${target.slice(5)}`;
    return target.startsWith(".") ? posix.join(posix.dirname(path), target) : target;
  });
}

const pointsDown: Rule = ({ path, imports }) => {
  const level = levelOf(path);
  if (level === -1 || isTest(path)) return [];
  return imports
    .filter((target) => /^(?:src\/(?!testing\/)|app\/)/.test(target))
    .filter(
      (target) => areaOf(target) !== areaOf(path) && (levelOf(target) === -1 || levelOf(target) >= level),
    )
    .map((target) => `${areaOf(path)} may not import ${target}`);
};

const testingIsForTests: Rule = ({ path, imports }) =>
  isTest(path)
    ? []
    : imports.filter((target) => target.startsWith("src/testing/")).map((to) => `imports ${to}`);

/** The file that lists the prepared writes of all stores for the thread that performs the writes. */
const PREPARED_WRITES = "src/server/prepared-writes.ts";

const storesArePrivate: Rule = ({ path, imports }) => {
  if (isTest(path) || path === PREPARED_WRITES) return [];
  return imports
    .filter((target) => /^src\/[^/]+\/[^/]+\/(?:[a-z-]+-)?store(?:\.sql)?(?:\.ts)?$/.test(target))
    .filter((target) => posix.dirname(target) !== posix.dirname(path))
    .map((target) => `${target} is private to its feature`);
};

const pagesDoNotQuery: Rule = ({ path, imports }) =>
  areaOf(path) === "app"
    ? imports
        .filter((target) => target.startsWith("src/kernel/db/"))
        .map((to) => `runs queries through ${to}`)
    : [];

const rulesArePure: Rule = ({ path, imports, text }) => {
  if (!/^src\/[^/]+\/[^/]+\/(?:[a-z-]+-)?rules\.ts$/.test(path)) return [];
  const impure = imports.filter((target) => /^(?:node:|next|@prisma\/|src\/kernel\/db\/)/.test(target));
  const clock = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.exec(text)?.[0];
  return [...impure, ...(clock === undefined ? [] : [clock])].map((name) => `a rule may not use ${name}`);
};

const namedAfterThings: Rule = ({ path, text }) => {
  const words = path.replace(/\.[^/]+$/, "").split("/");
  const technique = words.find((word) => TECHNIQUES.test(word));
  const isBarrel =
    /^export \* from /m.test(text) || (words.at(-1) === "index" && /^export .*\bfrom "/m.test(text));
  return [
    ...(technique === undefined ? [] : [`the file is named after a technique: ${technique}`]),
    ...(isBarrel ? ["the file only re-exports from other files"] : []),
  ];
};

const oneReaderOfTheEnvironment: Rule = ({ path, text }) =>
  path.startsWith("src/") &&
  !isTest(path) &&
  path !== "src/kernel/config/config.ts" &&
  /\bprocess\.env\b/.test(text)
    ? ["only src/kernel/config/config.ts reads the environment"]
    : [];

const nextStaysInItsPlace: Rule = ({ path, imports }) =>
  isTest(path) || KNOWS_NEXT.test(path) || !/^(?:src|app)\//.test(path)
    ? []
    : imports.filter((target) => /^next(?:\/|$)/.test(target)).map((target) => `may not import ${target}`);

const kernelNamesNoTable: Rule = ({ path, text }) => {
  if (areaOf(path) !== "kernel" || isTest(path)) return [];
  const table = TABLE_IN_SQL.exec(text)?.[0] ?? modelsTouchedIn(text)[0];
  return table === undefined ? [] : [`the kernel names no table of the product: ${table}`];
};

const onlyStoresTouchTables: Rule = ({ path, text }) =>
  isTest(path) || areaOf(path) === "kernel" ? [] : misplacedTables(path, text);

const TRANSACTION = /\bdeps\.transaction\(/g;

/**
 * Finds uses of the outer `deps` inside of a transaction. The outer `deps` would read and write outside of
 * the transaction.
 */
const transactionsUseTheirOwnDeps: Rule = ({ path, text }) =>
  isTest(path)
    ? []
    : [...text.matchAll(TRANSACTION)]
        .map(({ index }) => argumentsFrom(text, index + "deps.transaction".length))
        .filter((body) => /\bdeps\b(?!:)/.test(body))
        .map((body) => `a transaction uses the outer deps: ${/.*\bdeps\b(?!:).*/.exec(body)?.[0].trim()}`);

/** Returns the text between the opening parenthesis at an index and its closing parenthesis. */
function argumentsFrom(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(start + 1, at);
  }
  return text.slice(start + 1);
}

/**
 * Checks that server actions for administrators use `adminAction` or `adminFormAction`. If an action only
 * checked the permission, it would not start the re-authentication that keeps the submitted form, and the
 * form would be lost.
 */
const adminActionsAreWrapped: Rule = ({ text }) =>
  text.startsWith('"use server"') && /\brequireAdmin\b/.test(text)
    ? ["a server action for administrators is wrapped by adminAction or adminFormAction"]
    : [];

/** Matches a variable, a collection without a read-only type, an empty array, or an `AsyncLocalStorage`. */
const MODULE_STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)\b(?!: Readonly)[^\n]*?(?<![=!<>])=\s+(?:new (?:(?:Weak)?(?:Map|Set)|AsyncLocalStorage)\b|\[\];))/gm;

const stateIsOfTheProcess: Rule = ({ path, text }) =>
  isTest(path) || path === "src/kernel/process/process-wide.ts"
    ? []
    : [...text.matchAll(MODULE_STATE)].map(
        ([, variable, constant]) =>
          `state of the process is declared by processWide: ${variable ?? constant}`,
      );

const RULES: readonly Rule[] = [
  adminActionsAreWrapped,
  kernelNamesNoTable,
  onlyStoresTouchTables,
  transactionsUseTheirOwnDeps,
  pointsDown,
  testingIsForTests,
  storesArePrivate,
  pagesDoNotQuery,
  rulesArePure,
  namedAfterThings,
  oneReaderOfTheEnvironment,
  nextStaysInItsPlace,
  stateIsOfTheProcess,
];
