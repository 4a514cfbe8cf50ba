import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../deps/deps.ts";

/**
 * Runs something now and then, until it is stopped. Several processes of an instance may do so: each picks its own
 * moments.
 * @param round gets a signal by which it ends early; it raises nothing.
 * @returns stops it; settled once nothing is under way any more.
 */
export function repeatJob(
  deps: Pick<Deps, "randomBytes">,
  run: (signal: AbortSignal) => Promise<void>,
  { everyMs, firstAfterMs }: Readonly<{ everyMs: number; firstAfterMs: number }>,
): () => Promise<void> {
  const stopping = new AbortController();

  /** From half to one and a half times as long. */
  const jittered = (milliseconds: number): number =>
    milliseconds * (0.5 + Buffer.from(deps.randomBytes(2)).readUInt16LE() / 65_536);

  /** False when it was stopped meanwhile. */
  const slept = (milliseconds: number): Promise<boolean> =>
    pause(milliseconds, true, { signal: stopping.signal, ref: false }).catch(() => false);

  const runs = repeat();
  return () => {
    stopping.abort();
    return runs;
  };

  async function repeat(): Promise<void> {
    for (let delay = firstAfterMs; await slept(jittered(delay)); delay = everyMs) await run(stopping.signal);
  }
}
