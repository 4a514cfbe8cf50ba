import { parseDuration } from "@/instance/settings/duration";
import { changeSettings } from "@/instance/settings/service";
import {
  listKeys,
  type RotatedKey,
  replaceKeys,
  rotateKeys,
  withdrawKeys,
} from "@/oauth/signing-keys/service";
import { defineCommand, UsageError } from "./command";

const DAYS_MAX = 3650;

const keysRotate = defineCommand({
  name: "keys rotate",
  usage: "[--now | --withdraw | --every 90d]",
  about:
    "Publish new keys that sign ID tokens from the next day on, or, with --every, at regular intervals (0 means never). The old keys stay published until the tokens that they signed have expired. With --now, the new keys sign tokens immediately: clients with a cached JWK Set may refuse the new tokens until they read the JWK Set again. If a key has leaked, use --withdraw, which works like --now, and also removes all old keys from the JWK Set: clients that have read the JWK Set again refuse all tokens that the old keys signed.",
  options: { every: "text", now: "flag", withdraw: "flag" },
  run: async ({ open }, { every, now, withdraw }) => {
    const days = every === undefined ? null : daysOf(every);
    if ([now, withdraw, days !== null].filter(Boolean).length > 1)
      throw new UsageError("Use only one of --now, --withdraw and --every.");
    const { deps } = await open();
    if (days !== null) {
      await changeSettings(deps, { signing_key_rotation_days: String(days) });
      const text =
        days === 0
          ? "Signing keys are no longer replaced at intervals."
          : `Signing keys are replaced every ${days} days. A new key is published for one day before it signs tokens.`;
      return { text, json: { every_days: days } };
    }
    if (withdraw) {
      const { keys, withdrawn } = await withdrawKeys(deps);
      const text = [
        ...immediateLines(keys),
        "These keys were removed from the JWK Set:",
        ...withdrawn,
        "Clients with a cached JWK Set accept tokens of the removed keys, and may refuse the new tokens, until they read the JWK Set again. Restart such clients if a key has leaked.",
      ];
      return { text: text.join("\n"), json: { ...jsonOf(keys), withdrawn } };
    }
    if (now) {
      const keys = await replaceKeys(deps);
      const text = [
        ...immediateLines(keys),
        "Warning: clients with a cached JWK Set may refuse the new tokens until they read the JWK Set again.",
        "The old keys stay published. If a key has leaked, replace and remove all keys with `gatehouse keys rotate --withdraw`.",
      ];
      return { text: text.join("\n"), json: jsonOf(keys) };
    }
    const keys = await rotateKeys(deps);
    const text = [
      "These keys are published, and sign tokens from the given time on:",
      ...keys.map((key) => `${lineOf(key).padEnd(52)}from ${key.signsFrom.toISOString()}`),
      "If a key has leaked, replace and remove all keys immediately with `gatehouse keys rotate --withdraw`.",
    ];
    return { text: text.join("\n"), json: jsonOf(keys) };
  },
});

const lineOf = ({ kid, algorithm }: RotatedKey): string => `${kid}  ${algorithm}`;

const immediateLines = (keys: readonly RotatedKey[]): readonly string[] => [
  "Tokens are now signed with these keys:",
  ...keys.map(lineOf),
];

function jsonOf(rotated: readonly RotatedKey[]) {
  const kids = rotated.map(({ kid }) => kid);
  const keys = rotated.map(({ kid, algorithm, signsFrom }) => ({ kid, algorithm, signs_from: signsFrom }));
  return { kid: kids[0], kids, keys };
}

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
