import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./prepare-step.mjs";

/** The packages that only the build needs. */
const BUILD_PACKAGES = [
  "@simplewebauthn/browser",
  "@tailwindcss/postcss",
  "esbuild",
  "postcss",
  "prisma",
  "tailwindcss",
];

/** The parts of the page build that the server does not read. */
const UNUSED = [
  ".next/**/*.map",
  ".next/**/*.nft.json",
  ...["cache", "diagnostics", "types", "build", "node_modules"].map((name) => `.next/${name}`),
  ...["trace*", "required-server-files.js", "gatehouse-stamp*"].map((name) => `.next/${name}`),
];

/**
 * Returns the package.json of a release, with the list of its files. The builds of the server and of the
 * pages must exist.
 * @param {Record<string, unknown> & { dependencies: Record<string, string> }} checkout the package.json of the checkout.
 */
export function releaseOf(checkout) {
  const { dependencies, scripts: _scripts, devDependencies: _dev, overrides: _overrides, ...kept } = checkout;
  return {
    ...kept,
    scripts: { start: "node bin/gatehouse.mjs serve" },
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => !BUILD_PACKAGES.includes(name)),
    ),
    files: releaseFiles(),
  };
}

/**
 * Returns the member `files` of the package.json of a release. npm treats the entries as patterns. The folder
 * with the built pages is a single entry, because the folder has thousands of files and some file names
 * contain brackets. The files of the folder `dist` are listed one by one, because the folder may also contain
 * files of earlier builds.
 */
function releaseFiles() {
  /** @type {string[]} */
  const parts = JSON.parse(readFileSync(join(ROOT, "dist/parts.json"), "utf8"));
  return [
    "bin/gatehouse.mjs",
    ...["prepare-node", "prepare-step", "release-packages", "start-gatehouse"].map(
      (name) => `scripts/${name}.mjs`,
    ),
    ...parts.filter((path) => path.endsWith(".mjs")),
    "dist/page-packages.json",
    "dist/browser",
    ".next",
    ...UNUSED.map((pattern) => `!${pattern}`),
    "public",
    "prisma/sqlite/migrations",
    "prisma/postgresql/migrations",
    "next.config.mjs",
    "src/server/url-table.mjs",
    "src/identity/users/common-passwords.bloom",
    "src/kernel/db/generated/sqlite/query_compiler.wasm",
    "src/kernel/db/generated/postgresql/query_compiler.wasm",
    "deploy",
    "docs/operations",
    "docs/operations.md",
    "CHANGELOG.md",
  ];
}
