import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @typedef {(undo: () => unknown) => void} Later what is given to it runs when the work is over. */

/**
 * Runs `work` with a folder of its own and afterwards, whether it ended, failed or was interrupted, undoes what it
 * made, the newest first, and removes the folder.
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
  // A terminal sends its signal to npm and to us, and npm passes it on: the second one changes nothing.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      interrupted = true;
      end().finally(() => process.exit(interruptedStatus));
    });
  try {
    return await work(folder, (undo) => (interrupted ? undo() : steps.push(undo)));
  } catch (error) {
    // What fails now was cut off by the interruption; the process is about to exit.
    if (interrupted) return await new Promise(() => {});
    throw error;
  } finally {
    await end();
  }
}
