import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Route files that are Next's alone: next-auth's own handler needs it. */
const ONLY_NEXT = new Set(["api/auth/[...nextauth]"]);

/**
 * Every `route.ts` below `app`, except those that only Next can serve.
 * @param {string} app the folder `app`.
 * @returns {{ file: string, segments: string[] }[]} the folders as Next reads them: groups such as `(signed-in)` are
 * no part of an address, and a folder that begins with `_` is private.
 */
export function routeFiles(app) {
  /** @type {{ file: string, segments: string[] }[]} */
  const found = [];
  const visit = (/** @type {string[]} */ folders) => {
    const place = join(app, ...folders);
    const file = join(place, "route.ts");
    if (existsSync(file) && !ONLY_NEXT.has(folders.join("/")))
      found.push({ file, segments: folders.filter((folder) => !/^\(.*\)$/.test(folder)) });
    for (const entry of readdirSync(place, { withFileTypes: true }))
      if (entry.isDirectory() && !entry.name.startsWith("_")) visit([...folders, entry.name]);
  };
  visit([]);
  return found;
}

/**
 * Resolves `virtual:routes` to the route files: the tree is the only list of them.
 * @param {string} app
 * @returns {import("esbuild").Plugin}
 */
export const routesPlugin = (app) => ({
  name: "routes",
  setup(build) {
    build.onResolve({ filter: /^virtual:routes$/ }, () => ({ path: "routes", namespace: "routes" }));
    build.onLoad({ filter: /.*/, namespace: "routes" }, () => {
      const files = routeFiles(app);
      const imports = files.map(
        ({ file }, index) => `import * as route${index} from ${JSON.stringify(file)};`,
      );
      const rows = files.map(
        ({ segments }, index) => `{ segments: ${JSON.stringify(segments)}, module: route${index} },`,
      );
      const contents = [...imports, "export const routeFiles = [", ...rows, "];"].join("\n");
      return { contents, loader: "js", resolveDir: app };
    });
  },
});

/** Packages that work only inside Next, except the part of next-auth that reads and writes its cookie. */
const NEEDS_NEXT = /^(?:next(?:\/.*)?|next-auth(?!\/jwt$)(?:\/.*)?)$/;

/**
 * A mounted route file runs outside Next, where `next/*` fails at the first request and not at start.
 * @param {import("esbuild").Metafile} metafile
 * @returns {string[]} for each route file that reaches Next, the chain of files that leads there.
 */
export function chainsToNext(metafile) {
  const routes = metafile.inputs["routes:routes"]?.imports ?? [];
  return routes.flatMap(({ path }) => {
    const chain = chainToNext(metafile, path, new Set());
    return chain === null ? [] : [chain.join(" → ")];
  });
}

/**
 * @param {import("esbuild").Metafile} metafile
 * @param {string} path
 * @param {Set<string>} seen
 * @returns {string[] | null}
 */
function chainToNext(metafile, path, seen) {
  if (seen.has(path)) return null;
  seen.add(path);
  for (const imported of metafile.inputs[path]?.imports ?? []) {
    if (imported.external) {
      if (NEEDS_NEXT.test(imported.path)) return [path, imported.path];
      continue;
    }
    const rest = chainToNext(metafile, imported.path, seen);
    if (rest !== null) return [path, ...rest];
  }
  return null;
}
