import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprint, stamp } from "./prepare-fingerprint.mjs";
import { capture, ROOT, StepFailed, step } from "./prepare-step.mjs";

const installed = stamp("node_modules/.gatehouse-installed");
const NATIVE = "node_modules/better-sqlite3/build/Release/better_sqlite3.node";

/**
 * The packages to install: `running` means the packages that the server needs, and `development` adds the
 * packages for tests and checks, including the servers and clients that the tests use.
 * @typedef {"running" | "development"} Extent
 */

/** @param {Extent} extent */
const wanted = (extent) => `${fingerprint(["package-lock.json"])} ${extent}`;

/**
 * Returns whether `node_modules` has the packages that `package-lock.json` lists, for this version of Node.
 * @param {Extent} extent
 */
export const isInstalled = (extent) =>
  installed.equals(wanted("development")) || (extent === "running" && installed.equals(wanted("running")));

/**
 * Installs the packages that are missing. Packages that the user has installed in addition are kept.
 * @param {Extent} extent
 */
export async function install(extent) {
  // The start of a server must not remove installed development packages.
  const all = extent === "development" || matchesLock("development");
  const rebuild = installed.exists() && matchesLock(extent);
  if (rebuild || !matchesLock(extent)) {
    // `npm ci` would first delete all packages, also those that the user has installed in addition.
    const args = rebuild
      ? ["rebuild", "better-sqlite3"]
      : ["install", all ? "--include=dev" : "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
    await step("Installing packages (the first time takes a minute or two)", () => npm(args));
  }
  await installed.around(wanted(all ? "development" : "running"), async () => {});
}

/**
 * Returns whether the installed packages match `package-lock.json`. npm writes a lock file of the installed
 * packages into `node_modules`, without the packages for other platforms.
 * @param {Extent} extent
 */
function matchesLock(extent) {
  const installedPackages = packagesIn("node_modules/.package-lock.json");
  if (installedPackages === null || !existsSync(join(ROOT, NATIVE))) return false;
  const lockedPackages = Object.entries(packagesIn("package-lock.json") ?? {});
  return lockedPackages.every(
    ([path, { version, optional, dev, devOptional }]) =>
      path === "" ||
      optional === true ||
      (extent === "running" && (dev === true || devOptional === true)) ||
      installedPackages[path]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version: string, optional?: boolean, dev?: boolean, devOptional?: boolean }> | null}
 */
function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), "utf8")).packages;
  } catch {
    return null;
  }
}

/** @param {readonly string[]} args */
async function npm(args) {
  const script = process.env["npm_execpath"];
  const [command, ...first] = script?.endsWith(".js") ? [process.execPath, script] : ["npm"];
  const { code, output } = await capture(command, [...first, ...args], { NODE_ENV: undefined });
  if (code === 0) return;
  const missing = await missingBuildTools();
  const hint =
    missing.length > 0 && /gyp|better-sqlite3/.test(output)
      ? `\n\nThe SQLite driver has to be compiled on this machine, which requires ${missing.join(", ")}. On Debian: apt-get install python3 make g++`
      : "";
  throw new StepFailed(`The installation of the packages failed:\n${output.trim()}${hint}`);
}

async function missingBuildTools() {
  const tools = ["python3", "make", "g++"];
  const results = await Promise.all(tools.map((tool) => capture(tool, ["--version"])));
  return tools.filter((_tool, index) => results[index]?.code !== 0);
}
