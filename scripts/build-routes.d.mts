import type { Metafile, Plugin } from "esbuild";

/** Resolves `virtual:routes` to the route files below the folder `app`. */
export function routesPlugin(app: string): Plugin;

/** For each mounted route file that reaches Next, the chain of files that leads there. */
export function chainsToNext(metafile: Metafile): string[];
