import { processWide } from "./process-wide.ts";

const state = processWide("stopping", () => ({ isStopping: false }));

/** Returns whether this process has received a stop signal and is therefore not ready. */
export const isStopping = (): boolean => state().isStopping;

/** Records that this process has received a stop signal. */
export function setStopping(): void {
  state().isStopping = true;
}
