import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, stop } from "esbuild";
import { chainsToNext, routesPlugin } from "./build-routes.mjs";
import { filesBelow } from "./prepare-fingerprint.mjs";
import { ROOT, runPackage, StepFailed } from "./prepare-step.mjs";

/**
 * The chunks of the previous build are kept for this time, because a running command may still load these
 * chunks.
 */
const KEEP_OLD_PARTS_MS = 60 * 60_000;

/** The list of the files that the last build has written, which `scripts/pack.mjs` reads. */
const PARTS = "dist/parts.json";

/**
 * Bundles the command line and the production server into `dist`; the bundles import packages from
 * `node_modules`.
 */
export async function buildServer() {
  const [{ metafile }] = await Promise.all([bundle(), bundleForBrowsers()]).finally(stop);
  const chains = chainsToNext(metafile);
  if (chains.length > 0)
    throw new StepFailed(
      `These route files import Next.js, but run without Next.js in production:\n${chains.join("\n")}`,
    );
  removeOldParts(new Set(Object.keys(metafile.outputs)));
  writeFileSync(join(ROOT, PARTS), JSON.stringify(Object.keys(metafile.outputs)));
}

/** The esbuild options of the writer bundle and of the server bundle. */
const OPTIONS = /** @type {const} */ ({
  absWorkingDir: ROOT,
  bundle: true,
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  jsx: "automatic",
  sourcemap: true,
  metafile: true,
  logLevel: "silent",
});

/**
 * Bundles the command line, the server and the writer thread. esbuild runs in a separate process, which
 * `buildServer` stops.
 */
async function bundle() {
  try {
    // The writer thread is built separately from the server, so that the writer thread and the server share
    // no chunks. The file name of the writer program contains a digest, so that a server that is already
    // running does not start the writer thread of a new build.
    const writer = await build({
      ...OPTIONS,
      entryPoints: { writer: "src/server/writer-main.ts" },
      entryNames: "parts/[name]-[hash]",
    });
    const written = Object.keys(writer.metafile.outputs);
    const program = written.find((path) => path.endsWith(".mjs"));
    if (program === undefined) throw new Error("esbuild did not write the bundle of the writer thread.");
    const server = await build({
      ...OPTIONS,
      // Because of code splitting, a command loads only the chunks that it needs. For example, `gatehouse
      // --version` does not load the database.
      splitting: true,
      chunkNames: "parts/[name]-[hash]",
      entryPoints: { gatehouse: "src/cli/main.ts", worker: "src/server/worker-main.ts" },
      plugins: [routesPlugin(join(ROOT, "app")), writerPlugin(program)],
    });
    const outputs = { ...writer.metafile.outputs, ...server.metafile.outputs };
    return { metafile: { ...server.metafile, outputs } };
  } catch (error) {
    throw new StepFailed(
      `The build of the server failed:\n${error instanceof Error ? error.message : error}`,
    );
  }
}

/**
 * Resolves `virtual:writer` to the path of the writer program.
 * @param {string} program
 * @returns {import("esbuild").Plugin}
 */
const writerPlugin = (program) => ({
  name: "writer",
  setup(build) {
    build.onResolve({ filter: /^virtual:writer$/ }, () => ({ path: "writer", namespace: "writer" }));
    build.onLoad({ filter: /.*/, namespace: "writer" }, () => ({
      contents: `export const writerFile = ${JSON.stringify(program)};`,
    }));
  },
});

/**
 * Bundles the script that all pages load. The server sends the script under a name that contains a digest of its
 * content.
 */
const bundleForBrowsers = () =>
  build({
    absWorkingDir: ROOT,
    bundle: true,
    entryPoints: { page: "src/server/browser.ts" },
    outdir: "dist/browser",
    format: "esm",
    platform: "browser",
    target: "es2022",
    minify: true,
    legalComments: "none",
    logLevel: "silent",
  }).catch((error) => {
    throw new StepFailed(`The build of the browser script failed:\n${error.message}`);
  });

/** @param {Set<string>} current */
function removeOldParts(current) {
  for (const part of filesBelow("dist/parts"))
    if (!current.has(part) && Date.now() - statSync(join(ROOT, part)).mtimeMs > KEEP_OLD_PARTS_MS)
      rmSync(join(ROOT, part));
}

/**
 * Builds the pages of Next.js, and writes the stylesheet under a fixed name for HTML that is rendered without
 * Next.js.
 */
export async function buildPages() {
  await buildStylesheet();
  await runPackage("next/dist/bin/next", ["build"], { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" });
}

async function buildStylesheet() {
  const { default: postcss } = await import("postcss");
  const { default: tailwind } = await import("@tailwindcss/postcss");
  const from = join(ROOT, "app/globals.css");
  const to = join(ROOT, "public/gatehouse.css");
  const { css } = await postcss([tailwind({ optimize: true })]).process(readFileSync(from, "utf8"), {
    from,
    to,
  });
  mkdirSync(join(ROOT, "public"), { recursive: true });
  writeFileSync(to, css);
}
