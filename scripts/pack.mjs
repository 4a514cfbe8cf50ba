// Runs before and after `npm pack`. Before: builds the server and the pages, writes the archive with the pages and
// the packages, and replaces package.json by the package.json of a release. After: restores package.json.
import "./prepare-node.mjs";
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepare } from "./prepare.mjs";
import { ROOT, runCommand, StepFailed } from "./prepare-step.mjs";
import { writeArchive } from "./release-archive.mjs";
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
  // An earlier run of this program may have been interrupted before it restored package.json.
  restore();
  await prepare({ pages: true });
  await writeArchive(join(ROOT, "dist"));
  const release = releaseOf(JSON.parse(readFileSync(PACKAGE, "utf8")));
  copyFileSync(PACKAGE, ORIGINAL);
  writeFileSync(PACKAGE, `${JSON.stringify(release, null, 2)}\n`);
}

function restore() {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, PACKAGE);
}
