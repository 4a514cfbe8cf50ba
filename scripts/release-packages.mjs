import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT, StepFailed, systemErrorCode } from "./prepare-step.mjs";

/**
 * The file that `scripts/pack.mjs` writes: the names of the packages that the pages import, by the import
 * names in the built pages.
 */
const LIST = "dist/page-packages.json";

/**
 * Creates the symbolic links through which the built pages of a release import packages. The build creates
 * these links too, but npm packages cannot contain links.
 * @throws StepFailed when a package is missing, or when the links are missing in a read-only folder.
 */
export function linkPagePackages() {
  /** @type {Record<string, string>} */
  const packages = JSON.parse(readFileSync(join(ROOT, LIST), "utf8"));
  for (const [alias, name] of Object.entries(packages)) {
    const link = join(ROOT, ".next/node_modules", alias);
    if (existsSync(link)) continue;
    try {
      createLink(link, folderOf(name));
    } catch (error) {
      if (error instanceof StepFailed || systemErrorCode(error) === "EEXIST") throw error;
      throw new StepFailed(
        `The link ${link} cannot be created: ${error instanceof Error ? error.message : error}\nRun "gatehouse --version" once as a user who can write to this folder.`,
      );
    }
  }
}

/**
 * @param {string} link
 * @param {string} target
 */
function createLink(link, target) {
  mkdirSync(dirname(link), { recursive: true });
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link);
  try {
    symlinkSync(target, link, "junction");
  } catch (error) {
    // Another process may have created the symbolic link after the check above.
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

/** @param {string} name */
function folderOf(name) {
  const places = createRequire(join(ROOT, "package.json")).resolve.paths(name) ?? [];
  const folder = places.map((place) => join(place, name)).find((path) => existsSync(path));
  if (folder === undefined)
    throw new StepFailed(`The package ${name} is not installed. Install Gatehouse again.`);
  return folder;
}
