// Runs before and after `npm pack`. Before: builds the server and the pages, and replaces package.json by the
// package.json of a release, which has neither the development packages nor the packages of the build. After: restores
// package.json.
import "./prepare-node.mjs";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { prepare } from "./prepare.mjs";
import { filesBelow } from "./prepare-fingerprint.mjs";
import { ROOT, StepFailed } from "./prepare-step.mjs";

/** The packages that only the build needs. */
const BUILD_PACKAGES = [
  "@simplewebauthn/browser",
  "@tailwindcss/postcss",
  "esbuild",
  "postcss",
  "prisma",
  "tailwindcss",
];

/** The file that keeps the package.json of the checkout during `npm pack`. */
const ORIGINAL = join(ROOT, "node_modules/.gatehouse-package.json");
const PACKAGE = join(ROOT, "package.json");

/** Files of the build of the pages that no server reads. */
const UNUSED =
  /\.map$|\.nft\.json$|^\.next\/(?:cache|diagnostics|types|build|node_modules|trace|required-server-files|gatehouse-stamp)/;

process.chdir(ROOT);
try {
  if (process.argv[2] === "before") await writeRelease();
  else if (process.argv[2] === "after") restore();
  else throw new StepFailed("Usage: node scripts/pack.mjs before|after");
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function writeRelease() {
  // An earlier run may have been interrupted before the restoration.
  restore();
  await prepare({ pages: true });
  writeFileSync(join(ROOT, "dist/page-packages.json"), JSON.stringify(pagePackages()));
  const {
    dependencies,
    scripts: _scripts,
    devDependencies: _dev,
    ...kept
  } = JSON.parse(readFileSync(PACKAGE, "utf8"));
  const release = {
    ...kept,
    scripts: { start: "node bin/gatehouse.mjs serve" },
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([name]) => !BUILD_PACKAGES.includes(name)),
    ),
    files: releaseFiles(),
  };
  delete release.overrides;
  copyFileSync(PACKAGE, ORIGINAL);
  writeFileSync(PACKAGE, `${JSON.stringify(release, null, 2)}\n`);
}

function restore() {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, PACKAGE);
}

/**
 * Returns the packages that the built pages import. Turbopack adds a digest to each name, and creates a link with this
 * name to the package.
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

/** Returns the files of a release. The folder `dist` may also contain files of earlier builds. */
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
    ...filesBelow("dist/browser"),
    ...filesBelow(".next").filter((path) => !UNUSED.test(path)),
    ...filesBelow("public"),
    ...filesBelow("prisma/sqlite/migrations"),
    ...filesBelow("prisma/postgresql/migrations"),
    "next.config.mjs",
    "src/server/url-table.mjs",
    "src/identity/users/common-passwords.bloom",
    "src/kernel/db/generated/sqlite/query_compiler.wasm",
    "src/kernel/db/generated/postgresql/query_compiler.wasm",
    ...filesBelow("deploy"),
    ...filesBelow("docs/operations"),
    "docs/operations.md",
    "CHANGELOG.md",
  ];
}
