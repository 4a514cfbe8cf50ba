import { setTimeout as pause } from "node:timers/promises";
import { FOLLOWED_AFTER_MS } from "@/server/secret-follower";
import {
  RotationRefused,
  type RotationResult,
  retirePreviousSecret,
  rotateSecret,
} from "@/server/secret-rotation";
import { defineCommand, type Output, UsageError } from "./command";

const secretRotate = defineCommand({
  name: "secret rotate",
  usage: "[--keep-previous]",
  about:
    "Replace the instance secret while servers run, and encrypt all encrypted values again with the new secret. The command also continues an interrupted rotation.",
  options: { "keep-previous": "flag" },
  run: async ({ open }, { "keep-previous": keepPrevious }) => {
    const { deps } = await open();
    return outcome(() => rotateSecret(deps, { settle, report, keepPrevious }));
  },
});

const secretRetire = defineCommand({
  name: "secret retire",
  usage: "",
  about: "Stop accepting the previous instance secret after `secret rotate --keep-previous`.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    return outcome(() => retirePreviousSecret(deps, { settle, report }));
  },
});

const settle = (): Promise<void> => pause(FOLLOWED_AFTER_MS);

const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

async function outcome(run: () => Promise<RotationResult>): Promise<Output> {
  const result = await run().catch((cause) => {
    throw cause instanceof RotationRefused ? new UsageError(cause.message) : cause;
  });
  const { resealed, unreadable, retired } = result;
  const lines = [
    `The instance has a new secret. ${counted(resealed)} encrypted again.`,
    retired
      ? "The previous instance secret is no longer accepted."
      : 'The previous instance secret is still accepted until you run "gatehouse secret retire".',
  ];
  if (unreadable > 0)
    lines.push(`${counted(unreadable)} not encrypted again: decryption failed with both secrets.`);
  return { text: lines.join("\n"), json: result, failed: false };
}

const counted = (count: number): string => (count === 1 ? "1 value was" : `${count} values were`);

export const commands = [secretRotate, secretRetire];
