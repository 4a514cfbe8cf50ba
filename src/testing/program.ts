import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterThisFile } from "./release.ts";

const execute = promisify(execFile);

/**
 * Makes a program of `src/testing/programs` into a file that Node can run by itself.
 * @returns a function that runs it in a process of its own and gives what it printed, parsed as JSON. It raises an
 * Error with what the process complained of when it fails.
 */
export async function buildProgram(name: string): Promise<(...args: string[]) => Promise<unknown>> {
  // Inside the project, so that its packages are found from there.
  const file = resolve(".cache", "testing", `${name}-${randomUUID()}.mjs`);
  await build({
    entryPoints: [resolve("src", "testing", "programs", `${name}.ts`)],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
  });
  afterThisFile(() => rmSync(file, { force: true }));
  return async (...args) => JSON.parse((await execute(process.execPath, [file, ...args])).stdout);
}
