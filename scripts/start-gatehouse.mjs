import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT, runCommand } from "./prepare-step.mjs";

/** A release contains the builds, but not the sources (see `scripts/pack.mjs`). */
const IS_RELEASE = !existsSync(join(ROOT, "app"));

/**
 * Installs packages and builds the project if necessary, runs one command in this process and ends the
 * process.
 * @param {readonly string[]} argv the command and its arguments.
 */
export async function runGatehouse(argv) {
  resolvePaths();
  const workingFolder = process.cwd();
  process.chdir(ROOT);
  Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
  await runCommand(() => prepareCommand(argv[0] === "serve"));
  /** @type {{ main: (argv: readonly string[], workingFolder: string) => Promise<number> }} */
  const { main } = await import(pathToFileURL(resolve("dist/gatehouse.mjs")).href);
  process.exit(await main(argv, workingFolder));
}

/** @param {boolean} pages whether the command needs the pages. */
async function prepareCommand(pages) {
  if (!IS_RELEASE) {
    const { prepare } = await import("./prepare.mjs");
    return prepare({ pages });
  }
  const { unpackRelease } = await import("./unpack-release.mjs");
  return unpackRelease();
}

/**
 * Resolves the relative paths in DATA_DIR and DATABASE_URL against the current directory of the user, before
 * the command changes the working directory to the folder of the project.
 */
function resolvePaths() {
  const { DATA_DIR, DATABASE_URL } = process.env;
  // The folder of a release belongs to the package manager, so the data of the instance must be in another
  // folder.
  if (DATA_DIR || IS_RELEASE) process.env["DATA_DIR"] = resolve(DATA_DIR || "data");
  if (DATABASE_URL?.startsWith("file:"))
    process.env["DATABASE_URL"] = `file:${resolve(DATABASE_URL.slice("file:".length))}`;
}
