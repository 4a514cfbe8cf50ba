import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterThisFile } from "./release.ts";

const execute = promisify(execFile);

/** Runs the program with these arguments; `under` another program, such as a tracer with its own arguments. */
type Program = ((...args: string[]) => Promise<unknown>) &
  Readonly<{ under: (tracer: readonly [string, ...string[]], ...args: string[]) => Promise<unknown> }>;

/**
 * Makes a program of `src/testing/programs` into a file that Node can run by itself.
 * @returns a function that runs it in a process of its own and gives what it printed, parsed as JSON. It raises an
 * Error with what the process complained of when it fails.
 */
export async function buildProgram(name: string): Promise<Program> {
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
  const run = async (program: string, ...args: string[]) => JSON.parse((await execute(program, args)).stdout);
  return Object.assign((...args: string[]) => run(process.execPath, file, ...args), {
    under: ([tracer, ...more]: readonly [string, ...string[]], ...args: string[]) =>
      run(tracer, ...more, process.execPath, file, ...args),
  });
}
