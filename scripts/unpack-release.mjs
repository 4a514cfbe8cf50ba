import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT, StepFailed, systemErrorCode } from "./prepare-step.mjs";

/** The list that `scripts/pack.mjs` writes: the packages that the pages import, by the name in the built pages. */
const LIST = "dist/page-packages.json";
/**
 * The folder of the built pages, whose subfolder `node_modules` contains the packages of the server and of
 * the pages.
 */
const PAGES = join(ROOT, ".next");

/**
 * Unpacks the archive of a release, and creates the links by which the server and the pages find their packages.
 * Packages of npm cannot contain links.
 * @throws StepFailed when a package is missing, or when files are missing in a read-only folder.
 */
export function unpackRelease() {
  /** @type {Record<string, string>} */
  const packages = JSON.parse(readFileSync(join(ROOT, LIST), "utf8"));
  try {
    if (!existsSync(PAGES)) unpackArchive();
    ensureLink(join(ROOT, "dist/node_modules"), () => join(PAGES, "node_modules"));
    for (const [alias, name] of Object.entries(packages))
      ensureLink(join(PAGES, "node_modules", alias), () => folderOf(name));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    throw new StepFailed(
      `The release cannot be unpacked: ${error instanceof Error ? error.message : error}\nRun "gatehouse --version" once as a user who can write to ${ROOT}.`,
    );
  }
}

/**
 * Unpacks the archive into a temporary folder and renames this folder, so that an interrupted command leaves no
 * incomplete pages.
 */
function unpackArchive() {
  const archive = readFileSync(join(ROOT, "dist/release.archive"));
  const temporary = `${PAGES}-${process.pid}`;
  let offset = archive.indexOf("\n") + 1;
  /** @type {[path: string, size: number][]} */
  const entries = JSON.parse(archive.toString("utf8", 0, offset));
  try {
    for (const [path, size] of entries) {
      const file = join(temporary, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, archive.subarray(offset, offset + size));
      offset += size;
    }
    renameSync(temporary, PAGES);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process may have unpacked the archive since this process found no unpacked archive.
    if (!existsSync(PAGES)) throw error;
  }
}

/**
 * @param {string} link
 * @param {() => string} findTarget
 */
function ensureLink(link, findTarget) {
  if (!existsSync(link)) createLink(link, findTarget());
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
    // Another process may have created the link since this process found no link.
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

/** @param {string} name */
function folderOf(name) {
  const places = createRequire(join(ROOT, LIST)).resolve.paths(name) ?? [];
  const folder = places.map((place) => join(place, name)).find((path) => existsSync(path));
  if (folder === undefined)
    throw new StepFailed(`The package ${name} is not installed. Install Gatehouse again.`);
  return folder;
}
