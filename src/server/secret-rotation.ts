import { resealAll } from "@/instance/secret-rotation/sealed-column";
import {
  announceRotation,
  cancelRotation,
  type OpenRotation,
  openRotationIn,
  readSecretState,
  refreshKeys,
  retireSecret,
  switchSecret,
} from "@/instance/secret-rotation/service";
import { deriveKeySet, type KeySet } from "@/kernel/crypto/keys";
import type { Deps } from "@/kernel/deps/deps";
import { createNextSecret, givenKeys, replaceSecretFile } from "./secret";

/** Raised when the secret cannot be rotated; the message is a sentence for the operator. */
export class RotationRefused extends Error {}

export type RotationOptions = Readonly<{
  /** Waits until all servers have noticed the last change in the state of the secret rotation. */
  settle: () => Promise<void>;
  report: (sentence: string) => void;
  /** Whether the previous secret stays accepted until `retirePreviousSecret` is called. */
  keepPrevious: boolean;
}>;

/** `resealed` values were encrypted again; `unreadable` values are encrypted with an unknown secret. */
export type RotationResult = Readonly<{ resealed: number; unreadable: number; retired: boolean }>;

/**
 * Replaces the instance secret while servers run, and encrypts all encrypted values again with the new
 * secret. The function continues an interrupted rotation. First, all servers accept the new secret in
 * addition to the current secret. Then, all servers encrypt with the new secret. Finally, the stored values
 * are encrypted again, and the previous secret is no longer accepted.
 * @throws RotationRefused if there is no new secret, or if a server does not have the new secret.
 */
export async function rotateSecret(deps: Deps, options: RotationOptions): Promise<RotationResult> {
  let rotation = await openRotation(deps);
  if (rotation === null) {
    await announceRotation(deps, nextKeys(deps));
    rotation = await openRotation(deps);
  }
  if (rotation === null)
    throw new RotationRefused("Another process has finished a rotation of the instance secret. Try again.");
  if (rotation.stage === "announced") await switchToNew(deps, rotation, options);
  options.report("Encrypting the stored values again …");
  return finish(deps, rotation, options);
}

/**
 * Ends a rotation that was started with `keepPrevious`, so that no process accepts the previous secret.
 * @throws RotationRefused when no rotation that was started with `keepPrevious` is in progress.
 */
export async function retirePreviousSecret(
  deps: Deps,
  options: Pick<RotationOptions, "settle" | "report">,
): Promise<RotationResult> {
  const rotation = await openRotation(deps);
  if (rotation?.stage !== "switched")
    throw new RotationRefused("There is no previous secret to retire: no rotation is in progress.");
  return finish(deps, rotation, { ...options, keepPrevious: false });
}

const openRotation = async (deps: Deps): Promise<OpenRotation | null> =>
  openRotationIn(await readSecretState(deps.db));

const refresh = (deps: Deps) => refreshKeys(deps, () => givenKeys(deps.config));

/** Returns the keys of the secret that replaces the current secret. */
function nextKeys({ config, keys, randomBytes }: Deps): KeySet {
  if (config.secret === null) {
    // If the end of a rotation was interrupted, the file with the new secret may still exist.
    if (givenKeys(config).at(-1)?.check === keys.check) replaceSecretFile(config);
    return deriveKeySet(createNextSecret(config, randomBytes));
  }
  const next = deriveKeySet(config.secret);
  if (next.check === keys.check)
    throw new RotationRefused(
      "GATEHOUSE_SECRET is already the current secret. For this command and for all servers, set GATEHOUSE_SECRET to a new secret of at least 32 random characters, and set GATEHOUSE_SECRET_PREVIOUS to the current secret. Restart the servers one after the other, and run this command again.",
    );
  return next;
}

async function switchToNew(deps: Deps, rotation: OpenRotation, options: RotationOptions): Promise<void> {
  const sets = givenKeys(deps.config);
  const next = sets.find(({ check }) => check === rotation.check);
  const previous = sets.find(({ check }) => check === rotation.previousCheck);
  if (next === undefined || previous === undefined)
    throw new RotationRefused(
      "A rotation is in progress, but this process does not have the secrets of the rotation. Run the command with the same GATEHOUSE_SECRET and GATEHOUSE_SECRET_PREVIOUS, or the same DATA_DIR, as at the start of the rotation.",
    );
  options.report("Waiting until all servers accept the new secret …");
  await refresh(deps);
  await options.settle();
  const refusedBy = (await openRotation(deps))?.refusedBy ?? null;
  if (refusedBy !== null) {
    await cancelRotation(deps, rotation);
    throw new RotationRefused(
      `The server process ${refusedBy} does not have the new secret, so nothing was changed. Restart this server with the new secret in GATEHOUSE_SECRET and the current secret in GATEHOUSE_SECRET_PREVIOUS, and run this command again.`,
    );
  }
  await switchSecret(deps, rotation, { next, previous });
  await refresh(deps);
  options.report("Waiting until all servers encrypt with the new secret …");
  await options.settle();
}

/**
 * The maximum number of times that the function encrypts all stored values. When the function encrypts the
 * values for the second time, it normally finds no value that is encrypted with the previous secret.
 */
const RUNS_MAX = 10;

async function finish(
  deps: Deps,
  rotation: OpenRotation,
  { settle, keepPrevious }: Omit<RotationOptions, "report">,
): Promise<RotationResult> {
  await refresh(deps);
  const previous = deps.keys.previous.find(({ check }) => check === rotation.previousCheck);
  if (previous !== undefined) for (const rotated of deps.hooks.secretRotated) await rotated(deps, previous);
  let counts = await resealAll(deps);
  let resealed = counts.previous;
  for (let run = 2; counts.previous > 0; run++) {
    if (run > RUNS_MAX)
      throw new RotationRefused(
        "A server still encrypts with the previous secret. Restart all servers, and run this command again.",
      );
    if (run > 2) await settle();
    counts = await resealAll(deps);
    resealed += counts.previous;
  }
  if (!keepPrevious) {
    if (deps.config.secret === null) replaceSecretFile(deps.config);
    await retireSecret(deps, rotation);
    await refresh(deps);
  }
  return { resealed, unreadable: counts.unreadable, retired: !keepPrevious };
}
