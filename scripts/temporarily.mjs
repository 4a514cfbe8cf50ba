import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {(undo: () => unknown) => void} Later registers a function that runs when the work has ended. */

/**
 * Runs `work` with a temporary folder. When `work` ends, fails or is interrupted, the functions that were
 * registered with `later` run, the newest first, and the folder is deleted.
 * @template Result
 * @param {{ interruptedStatus: number }} options the exit status after Ctrl-C.
 * @param {(folder: string, later: Later) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function temporarily({ interruptedStatus }, work) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-"));
  /** @type {(() => unknown)[]} */
  const steps = [() => rm(folder, { recursive: true, force: true })];
  /** @type {Promise<void> | null} */
  let undoing = null;
  let interrupted = false;
  const undoAll = async () => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step();
  };
  const end = () => {
    undoing ??= undoAll();
    return undoing;
  };
  // After Ctrl-C, the terminal sends SIGINT to npm and to this process, and npm forwards the signal. This
  // process therefore receives SIGINT twice, and must ignore the second SIGINT.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      interrupted = true;
      end().finally(() => process.exit(interruptedStatus));
    });
  try {
    return await work(folder, (undo) => (interrupted ? undo() : steps.push(undo)));
  } catch (error) {
    // The interrupt caused the failure of `work`, and the process is about to exit.
    if (interrupted) return await new Promise(() => {});
    throw error;
  } finally {
    await end();
  }
}
