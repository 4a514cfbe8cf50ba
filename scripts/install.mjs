import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprint, stamp } from "./prepare-fingerprint.mjs";
import { capture, ROOT, StepFailed, step } from "./prepare-step.mjs";

const installed = stamp("node_modules/.gatehouse-installed");
const NATIVE = "node_modules/better-sqlite3/build/Release/better_sqlite3.node";

const wanted = () => fingerprint(["package-lock.json"]);

/** Whether `node_modules` is what `package-lock.json` says, for this version of Node. */
export const isInstalled = () => installed.equals(wanted());

/** Installs what is missing, and leaves alone what a person has already installed by hand. */
export async function install() {
  const rebuild = installed.exists() && matchesLock();
  if (rebuild || !matchesLock()) {
    // `npm ci` fails on a lock file that was written where other platforms' packages could not be seen.
    const args = rebuild
      ? ["rebuild", "better-sqlite3"]
      : ["install", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
    await step("Installing packages (the first time takes a minute or two)", () => npm(args));
  }
  await installed.around(wanted(), async () => {});
}

/** npm keeps in `node_modules` a lock file of what it put there; packages for other platforms are not in it. */
function matchesLock() {
  const found = packagesIn("node_modules/.package-lock.json");
  if (found === null || !existsSync(join(ROOT, NATIVE))) return false;
  const asked = Object.entries(packagesIn("package-lock.json") ?? {});
  return asked.every(
    ([path, { version, optional }]) => path === "" || optional === true || found[path]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version: string, optional?: boolean }> | null}
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
      ? `\n\nThe SQLite driver has to be compiled here, and that needs ${missing.join(", ")}. On Debian: apt-get install python3 make g++`
      : "";
  throw new StepFailed(`The packages could not be installed:\n${output.trim()}${hint}`);
}

async function missingBuildTools() {
  const tools = ["python3", "make", "g++"];
  const found = await Promise.all(tools.map((tool) => capture(tool, ["--version"])));
  return tools.filter((_tool, index) => found[index]?.code !== 0);
}
