import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterThisFile } from "./release.ts";

const execute = promisify(execFile);

/**
 * Runs the bundled program with the given arguments. `under` is the command line of another program, such as
 * a tracer, that starts the program.
 */
type Program = ((...args: string[]) => Promise<unknown>) &
  Readonly<{
    under: (tracer: readonly [string, ...string[]], ...args: string[]) => Promise<unknown>;
    /** The bundled program. */
    file: string;
  }>;

/**
 * Bundles a program of `src/testing/programs` for Node.
 * @returns a function that runs the program in a separate process and returns its output, parsed as JSON. The
 * function throws an Error with the error output of a failed process.
 */
export async function buildProgram(name: string): Promise<Program> {
  // The folder of the bundle is inside of the project, so that Node finds the packages of the project.
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
    file,
  });
}
