// Writes the archive of a release: the built pages, and the package files that the server and the pages read.
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { filesBelow } from "./prepare-fingerprint.mjs";
import { ROOT } from "./prepare-step.mjs";

/**
 * Packages with programs for one platform. npm installs these packages; the archive contains all other
 * packages.
 */
export const INSTALLED = ["@node-rs/argon2", "better-sqlite3", "sharp"];

/** The package files that the archive does not contain. */
const EXCLUDED = [
  /^node_modules\/(?:@node-rs|@img|@next\/swc-[^/]+|better-sqlite3|sharp)\//,
  /\.(?:map|d\.[cm]?ts|dev\.js)$/,
  // Modules that Next.js imports only during development.
  /^node_modules\/next\/dist\/lib\/upgrade\//,
  /^node_modules\/next\/dist\/server\/(?:dev\/next-dev-server|lib\/router-utils\/setup-dev-bundler)\.js$/,
];
const isExcluded = (/** @type {string} */ path) => EXCLUDED.some((pattern) => pattern.test(path));

/** The files whose paths Next.js resolves when it reads its configuration, without importing the files. */
const RESOLVED = ["webpack", "@babel/runtime/package.json"].map(
  (path) => `node_modules/next/dist/compiled/${path}`,
);

const IS_LICENSE = /^(?:licen[cs]e|notice|copying)/i;

/**
 * The parts of the page build that the server does not read. The server contains the route files, and does
 * not load the route files through Next.js.
 */
const UNUSED = [
  /\.(?:map|nft\.json)$/,
  /^\.next\/(?:cache|diagnostics|types|build|node_modules)\//,
  /^\.next\/(?:trace|trace-build|turbopack|gatehouse-stamp|required-server-files\.js)$/,
  /^\.next\/server\/app\/(?:.+\/)?(?:route\/.+|route(?:_client-reference-manifest)?\.js)$/,
  /^\.next\/server\/app\/(?:.+\/)?page\/(?:app-paths|build|next-font|server-reference)-manifest\.json$/,
];
/**
 * The folder with the chunks of the route files. Of the chunks in this folder, the pages read only those that
 * `listedFiles` returns.
 */
const IS_CHUNK = /^\.next\/server\/chunks\/[^/]+$/;

/**
 * Writes `release.archive` and `page-packages.json`. The archive is a line with a JSON array of the path and
 * the size of each file, followed by the contents of the files. A release contains this archive instead of
 * the files, because npm would extract each file several times during an installation, and does not pack
 * folders with the name `node_modules`.
 * @param {string} folder
 */
export async function writeArchive(folder) {
  const sources = [...pageFiles(), ...(await packageFiles())];
  const contents = sources.map((path) => readFileSync(join(ROOT, path)));
  const entries = sources.map((path, index) => [placeOf(path), contents[index]?.length]);
  writeFileSync(join(folder, "page-packages.json"), JSON.stringify(pagePackages()));
  writeFileSync(
    join(folder, "release.archive"),
    Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...contents]),
  );
}

/** Returns the path of a file in the folder `.next` of the release. @param {string} path */
const placeOf = (path) => path.replace(/^\.next\//, "");

function pageFiles() {
  const listed = new Set(listedFiles());
  return filesBelow(".next").filter(
    (path) => !UNUSED.some((pattern) => pattern.test(path)) && (!IS_CHUNK.test(path) || listed.has(path)),
  );
}

async function packageFiles() {
  const files = [...(await serverFiles()), ...listedFiles(), ...RESOLVED.flatMap(filesBelow)].filter(
    (path) => path.startsWith("node_modules/") && !isExcluded(path),
  );
  return [...new Set([...files, ...licensesOf(files)])];
}

/** Returns the files that the built server imports. */
async function serverFiles() {
  // Next.js contains a copy of @vercel/nft, which the build of Next.js uses to list files.
  /** @type {{ nodeFileTrace: (entries: string[], options: { base: string, ignore: (path: string) => boolean }) => Promise<{ fileList: Set<string> }> }} */
  const { nodeFileTrace } = createRequire(import.meta.url)("next/dist/compiled/@vercel/nft");
  /** @type {string[]} */
  const parts = JSON.parse(readFileSync(join(ROOT, "dist/parts.json"), "utf8"));
  const entries = parts.filter((path) => path.endsWith(".mjs")).map((path) => join(ROOT, path));
  const { fileList } = await nodeFileTrace(entries, { base: ROOT, ignore: isExcluded });
  return fileList;
}

/**
 * Returns the files in the lists that the build of Next.js writes for the server of Next.js and for each
 * page.
 */
function listedFiles() {
  const lists = filesBelow(".next").filter((path) => /(?<!\/route\.js)\.nft\.json$/.test(path));
  return lists.flatMap((list) => {
    /** @type {{ files: string[] }} */
    const { files } = JSON.parse(readFileSync(join(ROOT, list), "utf8"));
    return files.map((path) => join(dirname(list), path));
  });
}

/**
 * Returns the license files in the folders of `files` and in their ancestor folders, up to the folder of the
 * package.
 * @param {readonly string[]} files
 */
function licensesOf(files) {
  /** @type {Set<string>} */
  const folders = new Set();
  for (const path of files)
    for (
      let folder = dirname(path);
      !/(?:^|\/)node_modules(?:\/@[^/]+)?$/.test(folder);
      folder = dirname(folder)
    )
      folders.add(folder);
  return [...folders].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && IS_LICENSE.test(entry.name))
      .map((entry) => join(folder, entry.name)),
  );
}

/**
 * Returns the packages that the built pages import. Turbopack imports each package under a name with a
 * digest, and creates a link with this name to the package.
 */
function pagePackages() {
  const folder = join(ROOT, ".next/node_modules");
  const links = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
      : [entry.name],
  );
  return Object.fromEntries(
    links.map((alias) => [alias, readlinkSync(join(folder, alias)).split("node_modules/").at(-1)]),
  );
}
