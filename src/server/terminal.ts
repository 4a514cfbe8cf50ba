import type { Config } from "@/kernel/config/config.ts";
import { type FirstStart, firstStartSentence } from "./first-start.ts";

/**
 * Writes a line to the terminal. The log is not suitable for messages about the start, because the log
 * consists of JSON and is not yet open when the start fails early.
 */
export const writeReport = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

/**
 * Writes the URL of the server to the terminal, and after the first start also the credentials of the
 * administrator.
 */
export function announce(config: Config, firstStart: FirstStart | null): void {
  process.stdout.write(`Gatehouse is listening on ${config.issuer}\n`);
  if (firstStart !== null) process.stdout.write(`${firstStartSentence(firstStart)}\n`);
}
