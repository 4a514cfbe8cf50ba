import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The route files that only Next.js can serve. The handler of next-auth requires Next.js. */
const ONLY_NEXT = new Set(["api/auth/[...nextauth]"]);

/**
 * Returns every `route.ts` below `app`, except files that only Next.js can serve.
 * @param {string} app the folder `app`.
 * @returns {{ file: string, segments: string[] }[]} the files and the segments of their URL paths, by the
 * rules of Next.js: groups such as `(signed-in)` are not part of a path, and a folder that begins with `_` is
 * private.
 */
export function routeFiles(app) {
  /** @type {{ file: string, segments: string[] }[]} */
  const routes = [];
  const visit = (/** @type {string[]} */ folders) => {
    const place = join(app, ...folders);
    const file = join(place, "route.ts");
    if (existsSync(file) && !ONLY_NEXT.has(folders.join("/")))
      routes.push({ file, segments: folders.filter((folder) => !/^\(.*\)$/.test(folder)) });
    for (const entry of readdirSync(place, { withFileTypes: true }))
      if (entry.isDirectory() && !entry.name.startsWith("_")) visit([...folders, entry.name]);
  };
  visit([]);
  return routes;
}

/**
 * Resolves `virtual:routes` to the route files. The folder tree is the only source of the list of route
 * files.
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

/**
 * Packages that work only inside Next.js. The module `next-auth/jwt`, which reads and writes the cookie of
 * next-auth, also works outside of Next.js.
 */
const NEEDS_NEXT = /^(?:next(?:\/.*)?|next-auth(?!\/jwt$)(?:\/.*)?)$/;

/**
 * Returns the import chains from route files to Next.js, for the route files that the server runs without
 * Next.js. This check runs during the build, because outside of Next.js, an import of `next/*` would fail
 * only at the first request.
 * @param {import("esbuild").Metafile} metafile
 * @returns {string[]} the import chain of each route file that imports Next.js, directly or through other
 * files.
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
 * @param {Set<string>} visited
 * @returns {string[] | null}
 */
function chainToNext(metafile, path, visited) {
  if (visited.has(path)) return null;
  visited.add(path);
  for (const imported of metafile.inputs[path]?.imports ?? []) {
    if (imported.external) {
      if (NEEDS_NEXT.test(imported.path)) return [path, imported.path];
      continue;
    }
    const rest = chainToNext(metafile, imported.path, visited);
    if (rest !== null) return [path, ...rest];
  }
  return null;
}
