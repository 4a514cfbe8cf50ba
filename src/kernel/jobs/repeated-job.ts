import { setTimeout as pause } from "node:timers/promises";
import type { Deps } from "../deps/deps.ts";
import { observe } from "../metrics/metrics.ts";

/**
 * Runs a job at intervals until it is stopped. Several processes of an instance may run the same job, each at
 * different times.
 * @param name the name of the job in the metrics.
 * @param run the job, whose promise never rejects. The job receives an abort signal that asks the job to stop
 * early.
 * @returns a function that stops the job; its promise resolves when the job no longer runs.
 */
export function repeatJob(
  deps: Pick<Deps, "randomBytes">,
  name: string,
  run: (signal: AbortSignal) => Promise<void>,
  { everyMs, firstAfterMs }: Readonly<{ everyMs: number; firstAfterMs: number }>,
): () => Promise<void> {
  const stopping = new AbortController();

  /** Returns a random duration between half and one and a half times the given duration. */
  const jittered = (milliseconds: number): number =>
    milliseconds * (0.5 + Buffer.from(deps.randomBytes(2)).readUInt16LE() / 65_536);

  /** Resolves to false when the job was stopped during the pause. */
  const slept = (milliseconds: number): Promise<boolean> =>
    pause(milliseconds, true, { signal: stopping.signal, ref: false }).catch(() => false);

  const runs = repeat();
  return () => {
    stopping.abort();
    return runs;
  };

  async function repeat(): Promise<void> {
    for (let delay = firstAfterMs; await slept(jittered(delay)); delay = everyMs) {
      const startedAt = performance.now();
      await run(stopping.signal);
      observe("gatehouse_job_duration_seconds", { name }, (performance.now() - startedAt) / 1000);
    }
  }
}
