import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { routeFiles } from "./build-routes.mjs";

const ROOT = resolve(fileURLToPath(import.meta.url), "..", "..");
export const API_FOLDER = "app/api/v4";
/** What the SDKs of error tracking speak is a protocol of its own. */
const COLLECTOR = `${API_FOLDER.slice(4)}/error_tracking/collector/`;
const GENERATED = join(ROOT, "src/server/generated/api-routes.ts");

/**
 * Writes the module that imports every route file of the API, for the documents that are made from their declarations.
 * The tree is the only list of them: this is written anew whenever the two differ, which costs a walk through the tree.
 */
export function writeApiRoutes() {
  const text = moduleOf(routeFiles(join(ROOT, "app")));
  if (text === read()) return;
  mkdirSync(dirname(GENERATED), { recursive: true });
  // Several commands may do this at once, and a build may be reading.
  const aside = `${GENERATED}.${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, GENERATED);
}

function read() {
  try {
    return readFileSync(GENERATED, "utf8");
  } catch {
    return null;
  }
}

/**
 * @param {readonly { file: string, segments: readonly string[] }[]} files
 * @returns {string}
 */
function moduleOf(files) {
  const routes = files
    .map(({ file, segments }) => ({ from: relative(join(ROOT, "app"), file), segments: segments.slice(2) }))
    .filter(({ from }) => from.startsWith("api/v4/") && !from.startsWith(COLLECTOR))
    .filter(({ segments }) => !segments.at(-1)?.includes("[..."))
    .toSorted((a, b) => (a.segments.join("/") < b.segments.join("/") ? -1 : 1));
  const imports = routes.map(
    ({ from }, index) => `import * as route${index} from "@app/${from.replace(/\.ts$/, "")}";`,
  );
  const rows = routes.map(
    ({ segments }, index) => `  { segments: ${JSON.stringify(segments)}, module: route${index} },`,
  );
  return [
    "// Made by scripts/api-routes.mjs from the tree app/api/v4.",
    'import type { ApiRoute } from "@/http-api/operations";',
    ...imports,
    "",
    "export const apiRoutes: readonly ApiRoute[] = [",
    ...rows,
    "];",
    "",
  ].join("\n");
}
