import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare } from "./prepare.mjs";
import { ROOT, StepFailed } from "./prepare-step.mjs";

/**
 * Prepares packages and builds where necessary, runs one command in this process and ends the process.
 * @param {readonly string[]} argv the command and its arguments.
 */
export async function runGatehouse(argv) {
  resolvePaths();
  process.chdir(ROOT);
  Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
  try {
    await prepare({ pages: argv[0] === "serve" });
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  /** @type {{ main: (argv: readonly string[]) => Promise<number> }} */
  const { main } = await import(pathToFileURL(resolve("dist/gatehouse.mjs")).href);
  process.exit(await main(argv));
}

/** Resolves relative paths against the current folder of the user, because commands run in the folder of the project. */
function resolvePaths() {
  const { DATA_DIR, DATABASE_URL } = process.env;
  if (DATA_DIR) process.env["DATA_DIR"] = resolve(DATA_DIR);
  if (DATABASE_URL?.startsWith("file:"))
    process.env["DATABASE_URL"] = `file:${resolve(DATABASE_URL.slice("file:".length))}`;
}
