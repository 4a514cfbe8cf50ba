import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** @type {Map<string, number>} the compressed sizes of files in kB */
const sizes = new Map();

/** Returns the compressed size, in kB, of a file of the page build. @param {string} file */
function packedKilobytes(file) {
  const size = sizes.get(file) ?? gzipSync(readFileSync(file), { level: 9 }).byteLength / 1024;
  sizes.set(file, size);
  return size;
}

/** Returns the build file that the server sends for the URL path of a script. @param {string} path */
function fileAt(path) {
  if (path.startsWith("/_next/")) return join(".next", path.slice("/_next/".length));
  if (path.startsWith("/-/assets/page-")) return "dist/browser/page.js";
  throw new Error(`The server has no build file at ${path}.`);
}

/** Returns the paths of the scripts that every Next.js page loads. */
function runtimeScripts() {
  /** @type {{ rootMainFiles: readonly string[] }} */
  const { rootMainFiles } = JSON.parse(readFileSync(".next/build-manifest.json", "utf8"));
  return new Set(rootMainFiles.map((file) => `/_next/${file}`));
}

/**
 * Returns the compressed size, in kB, of the JavaScript of a page: the runtime of Next.js, and the other
 * scripts. Browsers that support modules do not load the scripts with the attribute `nomodule`.
 * @param {string} html the response of the server.
 */
export function pageWeight(html) {
  const elements = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"[^>]*>/g)];
  const paths = new Set(elements.filter(([tag]) => !/nomodule/i.test(tag)).map(([, path = ""]) => path));
  const runtime = runtimeScripts();
  const weight = { runtime: 0, own: 0 };
  for (const path of paths) weight[runtime.has(path) ? "runtime" : "own"] += packedKilobytes(fileAt(path));
  return weight;
}
