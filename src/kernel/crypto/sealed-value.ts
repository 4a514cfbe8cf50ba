import type { SecretKeys } from "./keys";
import { open, seal } from "./seal";

/**
 * Returns the original text of an encrypted value. The function accepts values that were encrypted with the
 * current instance secret, or with the other secret of a rotation in progress. For any other value, the
 * result is null.
 * @param purpose the purpose with which the value was encrypted.
 */
export function openValue(keys: SecretKeys, purpose: string, sealed: string): string | null {
  const text = open(keys.sealing, purpose, sealed);
  if (text !== null || keys.previous.length === 0) return text;
  for (const { sealing } of keys.previous) {
    const previous = open(sealing, purpose, sealed);
    if (previous !== null) return previous;
  }
  return null;
}

/**
 * The secret that decrypts a value: the current secret, only the other secret of a rotation, or neither
 * secret.
 */
export type SealState = "current" | "previous" | "unreadable";

/**
 * Returns the state of an encrypted value. If the value was encrypted with the other secret of a rotation,
 * the function also returns the text encrypted with the current secret.
 */
export function resealed(
  { keys, randomBytes }: Readonly<{ keys: SecretKeys; randomBytes: (size: number) => Uint8Array }>,
  purpose: string,
  sealed: string,
): Readonly<{ state: "current" | "unreadable" } | { state: "previous"; sealed: string }> {
  if (open(keys.sealing, purpose, sealed) !== null) return { state: "current" };
  const text = openValue(keys, purpose, sealed);
  if (text === null) return { state: "unreadable" };
  return { state: "previous", sealed: seal(randomBytes, keys.sealing, purpose, text) };
}
