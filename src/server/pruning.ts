import { setTimeout as pause } from "node:timers/promises";
import { prune } from "@/features/pruning/service.ts";
import type { Deps } from "@/platform/deps.ts";
import { loggableError } from "./request-log.ts";

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 15 * 60_000;

/**
 * Prunes now and then, until it is stopped. Several processes of an instance may do so: what one has removed is not
 * there for the others, and each picks its own moments.
 * @returns stops it; settled once no statement is under way any more.
 */
export function keepPruned(
  deps: Deps,
  everyMs = EVERY_MS,
  firstAfterMs = FIRST_AFTER_MS,
): () => Promise<void> {
  const stopping = new AbortController();

  /** From half to one and a half times as long. */
  const jittered = (milliseconds: number): number =>
    milliseconds * (0.5 + Buffer.from(deps.randomBytes(2)).readUInt16LE() / 65_536);

  /** False when it was stopped meanwhile. */
  const slept = (milliseconds: number): Promise<boolean> =>
    pause(milliseconds, true, { signal: stopping.signal, ref: false }).catch(() => false);

  const rounds = repeat();
  return () => {
    stopping.abort();
    return rounds;
  };

  async function repeat(): Promise<void> {
    for (let delay = firstAfterMs; await slept(jittered(delay)); delay = everyMs)
      await round(deps, stopping.signal);
  }
}

async function round(deps: Deps, signal: AbortSignal): Promise<void> {
  try {
    const removed = await prune(deps, { signal });
    if (Object.values(removed).some((count) => count > 0))
      deps.log.info({ event: "prune.removed", ...removed });
  } catch (cause) {
    deps.log.error({ event: "prune.failed", ...loggableError(cause) });
  }
}
