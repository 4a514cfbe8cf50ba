import { parseDuration } from "@/instance/settings/duration";
import { changeSettings } from "@/instance/settings/service";
import { listKeys, replaceKeys, rotateKeys } from "@/oauth/signing-keys/service";
import { defineCommand, UsageError } from "./command";

const DAYS_MAX = 3650;

const keysRotate = defineCommand({
  name: "keys rotate",
  usage: "[--now | --every 90d]",
  about:
    "Publish new keys that sign ID tokens from the next day on, or, with --every, at regular intervals (0 means never). The old keys stay published until the tokens that they signed have expired. With --now, the new keys sign tokens immediately. Use --now only if a key may have leaked: clients with a cached JWK Set may refuse the new tokens until they read the JWK Set again.",
  options: { every: "text", now: "flag" },
  run: async ({ open }, { every, now }) => {
    const days = every === undefined ? null : daysOf(every);
    if (now && days !== null) throw new UsageError("Use either --now or --every.");
    const { deps } = await open();
    if (days !== null) {
      await changeSettings(deps, { signing_key_rotation_days: String(days) });
      const text =
        days === 0
          ? "Signing keys are no longer replaced at intervals."
          : `Signing keys are replaced every ${days} days. A new key is published for one day before it signs tokens.`;
      return { text, json: { every_days: days } };
    }
    const rotated = now ? await replaceKeys(deps) : await rotateKeys(deps);
    const lines = rotated.map(({ kid, algorithm }) => `${kid}  ${algorithm}`);
    const text = now
      ? [
          "Tokens are now signed with these keys:",
          ...lines,
          "Warning: clients with a cached JWK Set may refuse the new tokens until they read the JWK Set again.",
        ]
      : [
          "These keys are published, and sign tokens from the given time on:",
          ...rotated.map(
            ({ signsFrom }, index) => `${lines[index]?.padEnd(52)}from ${signsFrom.toISOString()}`,
          ),
          "If an old key may have leaked, replace it immediately with `gatehouse keys rotate --now`.",
        ];
    const keys = rotated.map(({ kid, algorithm, signsFrom }) => ({ kid, algorithm, signs_from: signsFrom }));
    const kids = rotated.map(({ kid }) => kid);
    return { text: text.join("\n"), json: { kid: kids[0], kids, keys } };
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
