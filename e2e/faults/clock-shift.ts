import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** The shift of the clock of a server process, which the process reads from a file (`shifted-clock.mjs`). */
export type ClockShift = Readonly<{
  /** The environment of a server process whose clock is shifted. */
  env: Readonly<{ NODE_OPTIONS: string; CLOCK_SHIFT_FILE: string }>;
  /** Sets the shift, and waits until the clock of the process has the new time. */
  set: (processId: number, milliseconds: number) => Promise<void>;
  remove: () => Promise<void>;
}>;

/** Creates the file of a clock shift. A process that starts with `env` has the shifted time from the start. */
export async function createClockShift(milliseconds = 0): Promise<ClockShift> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-clock-"));
  const file = join(folder, "shift");
  writeFileSync(file, String(milliseconds));
  const preload = pathToFileURL(join(import.meta.dirname, "shifted-clock.mjs")).href;
  return {
    env: { NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_FILE: file },
    set: async (processId, shift) => {
      writeFileSync(file, String(shift));
      const deadline = Date.now() + 60_000;
      while (readFileSync(`${file}.${processId}`, "utf8") !== String(shift)) {
        if (Date.now() > deadline) throw new Error("The process did not read the shift of its clock.");
        await pause(20);
      }
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
