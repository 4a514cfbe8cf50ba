import { parseDuration } from "@/instance/settings/duration";
import { changeSettings } from "@/instance/settings/service";
import { listKeys, rotateKeys } from "@/oauth/signing-keys/service";
import { defineCommand, UsageError } from "./command";

const DAYS_MAX = 3650;

const keysRotate = defineCommand({
  name: "keys rotate",
  usage: "[--every 90d]",
  about:
    "Replace the keys that sign ID tokens, either now or, with --every, at regular intervals (0 means never). The old keys stay published until the tokens that they signed have expired.",
  options: { every: "text" },
  run: async ({ open }, { every }) => {
    const days = every === undefined ? null : daysOf(every);
    const { deps } = await open();
    if (days !== null) {
      await changeSettings(deps, { signing_key_rotation_days: String(days) });
      const text =
        days === 0
          ? "Signing keys are no longer replaced at intervals."
          : `Signing keys are replaced every ${days} days. A new key is published for one day before it signs tokens.`;
      return { text, json: { every_days: days } };
    }
    const kids = await rotateKeys(deps);
    const keys = kids.length === 1 ? `the key ${kids[0]}` : `the keys ${kids.join(", ")}`;
    return { text: `ID tokens are now signed with ${keys}.`, json: { kid: kids[0], kids } };
  },
});

function daysOf(text: string): number {
  const days = parseDuration(text, "days");
  if (days === null || days > DAYS_MAX)
    throw new UsageError(`--every must be a number of days from 0 to ${DAYS_MAX}, such as 90d.`);
  return days;
}

const keysList = defineCommand({
  name: "keys list",
  usage: "",
  about: "List the signing keys with their algorithm and state: next, signing or retired.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const keys = await listKeys(deps);
    const lines = keys.map(
      ({ kid, algorithm, state, signsFrom, createdAt }) =>
        `${kid}  ${algorithm.padEnd(5)}  ${state.padEnd(7)}  since ${(signsFrom ?? createdAt).toISOString()}`,
    );
    const json = keys.map(({ kid, algorithm, state, createdAt, signsFrom }) => ({
      kid,
      algorithm,
      state,
      created_at: createdAt,
      signs_from: signsFrom ?? createdAt,
    }));
    return {
      text: lines.length === 0 ? "No signing key exists yet." : lines.join("\n"),
      json: { keys: json },
    };
  },
});

export const commands = [keysRotate, keysList];
