import { posix } from "node:path";

/** What a source file says, by its path in the project. */
export type Sources = ReadonlyMap<string, string>;

/** Each layer, and what it may import beside itself. `app` may import all that is here. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  ui: [],
  access: ["platform"],
  features: ["access", "platform", "ui"],
  // The authorization endpoint makes its error page itself: a page of Next cannot answer 400.
  oauth: ["features", "access", "platform", "ui"],
  api: ["features", "access", "platform"],
  collector: ["features", "access", "platform"],
  git: ["features", "access", "platform"],
  registry: ["features", "access", "platform"],
  server: ["registry", "git", "collector", "api", "oauth", "features", "access", "platform"],
  cli: ["server", "registry", "git", "collector", "api", "oauth", "features", "access", "platform"],
};

const TECHNIQUES = /^(?:helpers?|utils?|mappers?|common|misc|shared)$/;

/** The only places where Next may be mentioned: what Next alone runs. */
const KNOWS_NEXT =
  /^app\/(?:.*\/)?(?!route\.ts$)[^/]+$|^app\/api\/auth\/\[\.\.\.nextauth\]\/route\.ts$|^src\/features\/appearance\/flash\.ts$|^src\/features\/[^/]+\/(?:loaders\.ts|actions\.ts|components\/.+)$|^src\/ui\/|^src\/server\/next-app\.ts$/;

type File = Readonly<{ path: string; text: string; imports: readonly string[] }>;
type Rule = (file: File) => readonly string[];

/** Every place where a source file breaks a rule of the architecture, as `path: what is wrong`. */
export function findingsIn(sources: Sources): readonly string[] {
  return [...sources].flatMap(([path, text]) => {
    const file = { path, text, imports: importsOf(path, text) };
    return RULES.flatMap((rule) => rule(file)).map((finding) => `${path}: ${finding}`);
  });
}

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.startsWith("src/testing/");
const layerOf = (path: string): string =>
  /^src\/([^/]+)\//.exec(path)?.[1] ?? (path.startsWith("app/") ? "app" : "");

/** What a file imports: paths in the project, and packages by their names. */
function importsOf(path: string, text: string): readonly string[] {
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"]+)"/g);
  return [...found].map(([, target = ""]) => {
    if (target.startsWith("@/")) return `src/${target.slice(2)}`;
    if (target.startsWith("@app/")) return `app/${target.slice(5)}`;
    return target.startsWith(".") ? posix.join(posix.dirname(path), target) : target;
  });
}

const pointsDown: Rule = ({ path, imports }) => {
  const layer = layerOf(path);
  const below = LAYERS[layer];
  if (below === undefined || isTest(path)) return [];
  return imports
    .filter((target) => /^(?:src\/(?!testing\/)|app\/)/.test(target))
    .filter((target) => layerOf(target) !== layer && !below.includes(layerOf(target)))
    .map((target) => `${layer} may not import ${target}`);
};

const testingIsForTests: Rule = ({ path, imports }) =>
  isTest(path)
    ? []
    : imports.filter((target) => target.startsWith("src/testing/")).map((to) => `imports ${to}`);

const storesArePrivate: Rule = ({ path, imports }) => {
  if (isTest(path)) return [];
  return imports
    .filter((target) => /^src\/features\/[^/]+\/store(?:\.ts)?$/.test(target))
    .filter((target) => posix.dirname(target) !== posix.dirname(path))
    .map((target) => `${target} is private to its feature`);
};

const pagesDoNotQuery: Rule = ({ path, imports }) =>
  layerOf(path) === "app"
    ? imports.filter((target) => target.startsWith("src/platform/db/")).map((to) => `queries through ${to}`)
    : [];

const rulesArePure: Rule = ({ path, imports, text }) => {
  if (!/^src\/features\/[^/]+\/rules\.ts$/.test(path)) return [];
  const impure = imports.filter((target) => /^(?:node:|next|@prisma\/|src\/platform\/db\/)/.test(target));
  const clock = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.exec(text)?.[0];
  return [...impure, ...(clock === undefined ? [] : [clock])].map((what) => `a rule may not use ${what}`);
};

const namedAfterThings: Rule = ({ path, text }) => {
  const words = path.replace(/\.[^/]+$/, "").split("/");
  const technique = words.find((word) => TECHNIQUES.test(word));
  const isBarrel =
    /^export \* from /m.test(text) || (words.at(-1) === "index" && /^export .*\bfrom "/m.test(text));
  return [
    ...(technique === undefined ? [] : [`named after a technique: ${technique}`]),
    ...(isBarrel ? ["only passes on what other files export"] : []),
  ];
};

const oneReaderOfTheEnvironment: Rule = ({ path, text }) =>
  path.startsWith("src/") &&
  !isTest(path) &&
  path !== "src/platform/config.ts" &&
  /\bprocess\.env\b/.test(text)
    ? ["only src/platform/config.ts reads the environment"]
    : [];

const nextStaysInItsPlace: Rule = ({ path, imports }) =>
  isTest(path) || KNOWS_NEXT.test(path) || !/^(?:src|app)\//.test(path)
    ? []
    : imports.filter((target) => /^next(?:\/|$)/.test(target)).map((target) => `may not know ${target}`);

/** What the wrapper does (right, proof, held form), a server action that asks for the right itself would leave out. */
const adminActionsAreWrapped: Rule = ({ text }) =>
  text.startsWith('"use server"') && /\brequireAdmin\b/.test(text)
    ? ["an administrator's server action is made by adminAction or adminFormAction"]
    : [];

const RULES: readonly Rule[] = [
  adminActionsAreWrapped,
  pointsDown,
  testingIsForTests,
  storesArePrivate,
  pagesDoNotQuery,
  rulesArePure,
  namedAfterThings,
  oneReaderOfTheEnvironment,
  nextStaysInItsPlace,
];
