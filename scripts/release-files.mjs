import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./prepare-step.mjs";
import { INSTALLED } from "./release-archive.mjs";

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
      Object.entries(dependencies).filter(([name]) => INSTALLED.includes(name)),
    ),
    files: releaseFiles(),
  };
}

/**
 * Returns the member `files` of the package.json of a release. The files of the folder `dist` are listed one by one,
 * because the folder may also contain files of earlier builds.
 */
function releaseFiles() {
  /** @type {string[]} */
  const parts = JSON.parse(readFileSync(join(ROOT, "dist/parts.json"), "utf8"));
  return [
    "bin/gatehouse.mjs",
    ...["prepare-node", "prepare-step", "start-gatehouse", "unpack-release"].map(
      (name) => `scripts/${name}.mjs`,
    ),
    ...parts.filter((path) => path.endsWith(".mjs")),
    "dist/page-packages.json",
    "dist/release.archive",
    "dist/browser",
    "public",
    "prisma/sqlite/migrations",
    "prisma/postgresql/migrations",
    "next.config.mjs",
    "src/server/url-table.mjs",
    "src/identity/users/common-passwords.bloom",
    "src/kernel/db/generated/sqlite/query_compiler.wasm",
    "src/kernel/db/generated/postgresql/query_compiler.wasm",
    "deploy",
    ...releaseDocuments(),
  ];
}

/**
 * The documents of the checkout that a release does not contain. The document of the conformance tests links to every
 * test.
 */
const CHECKOUT_ONLY = ["conformance.md"];

/**
 * Returns the documents of a release, and the pictures in these documents. npm also adds `README.md` to every package.
 * Each relative link in a document of a release must point to a file of the release.
 */
export function releaseDocuments() {
  const pages = readdirSync(join(ROOT, "docs")).filter(
    (name) => name.endsWith(".md") && !CHECKOUT_ONLY.includes(name),
  );
  return [
    ...["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
    ...pages.map((name) => `docs/${name}`),
    "docs/decisions",
    "docs/operations",
    ...["consent-light-1280", "dashboard-queries"].map((name) => `docs/screenshots/${name}.png`),
  ];
}
