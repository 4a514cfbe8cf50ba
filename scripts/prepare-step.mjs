import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. Every path in this module is relative to this folder. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The error of a failed step. The error message is written for the user, and is followed by the output of the
 * failed command.
 */
export class StepFailed extends Error {}

/**
 * Runs the function that implements a command of the project. If a step fails, the function prints the error
 * message of the step and ends the process with status 1.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function runCommand(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/**
 * Runs one step and prints one line of progress to standard error, so that standard output contains only the
 * output of the command.
 * @template Result
 * @param {string} label
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function step(label, work) {
  const startedAt = performance.now();
  process.stderr.write(`${label} … `);
  try {
    const result = await work();
    process.stderr.write(`${secondsSince(startedAt)} s\n`);
    return result;
  } catch (error) {
    process.stderr.write(`failed after ${secondsSince(startedAt)} s\n`);
    throw error;
  }
}

/**
 * Returns the code of an operating system error, such as `ENOENT`.
 * @param {unknown} error
 */
export const systemErrorCode = (error) =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** @param {number} startedAt */
export const secondsSince = (startedAt) => ((performance.now() - startedAt) / 1000).toFixed(1);

/**
 * Runs a command in the folder of the project, and returns its exit code and its output. The command is ended
 * when this process ends.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} [env] overrides the environment of this process.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    const end = () => void child.kill();
    process.on("exit", end);
    child.on("error", (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on("close", (code) => {
      process.off("exit", end);
      resolve({ code: code ?? 1, output });
    });
  });
}

/**
 * Runs a command that has to succeed, and returns its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} [env]
 * @throws StepFailed with the output of the command.
 */
export async function run(command, args, env = {}) {
  const { code, output } = await capture(command, args, env);
  if (code !== 0) throw new StepFailed(`${[command, ...args].join(" ")} failed:\n${output.trim()}`);
  return output;
}

/**
 * Runs a script of an installed package with the Node version of this process.
 * @param {string} script the path of the script below `node_modules`.
 * @param {readonly string[]} args
 * @param {Record<string, string | undefined>} [env]
 */
export const runPackage = (script, args, env = {}) =>
  run(process.execPath, [`node_modules/${script}`, ...args], env);
