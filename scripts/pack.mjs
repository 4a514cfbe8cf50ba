// Runs before and after `npm pack`. `pack.mjs before` builds the server and the pages, and replaces
// package.json by the package.json of a release. The package.json of a release does not list packages that
// only development and the build need. `pack.mjs after` restores package.json.
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
import { ROOT, runCommand, StepFailed } from "./prepare-step.mjs";
import { releaseOf } from "./release-files.mjs";

/** The file that keeps the package.json of the checkout during `npm pack`. */
const ORIGINAL = join(ROOT, "node_modules/.gatehouse-package.json");
const PACKAGE = join(ROOT, "package.json");

process.chdir(ROOT);
await runCommand(async () => {
  if (process.argv[2] === "before") return writeRelease();
  if (process.argv[2] === "after") return restore();
  throw new StepFailed("Usage: node scripts/pack.mjs before|after");
});

async function writeRelease() {
  // An earlier run may have been interrupted before package.json was restored.
  restore();
  await prepare({ pages: true });
  writeFileSync(join(ROOT, "dist/page-packages.json"), JSON.stringify(pagePackages()));
  const release = releaseOf(JSON.parse(readFileSync(PACKAGE, "utf8")));
  copyFileSync(PACKAGE, ORIGINAL);
  writeFileSync(PACKAGE, `${JSON.stringify(release, null, 2)}\n`);
}

function restore() {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, PACKAGE);
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
