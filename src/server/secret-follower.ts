import { hostname } from "node:os";
import { refreshKeys, refuseRotation } from "@/instance/secret-rotation/service";
import type { Deps } from "@/kernel/deps/deps";
import { givenKeys } from "./secret";

/** The time between two checks for a rotation of the instance secret. */
const EVERY_MS = 5_000;

/**
 * The time after which all servers have noticed a change in the state of a secret rotation. This time is
 * longer than several intervals between checks for a rotation, because a server may be briefly busy.
 */
export const FOLLOWED_AFTER_MS = 3 * EVERY_MS;

/**
 * Changes the keys of this process when `gatehouse secret rotate` replaces the instance secret.
 * @returns a function that stops the checks; its promise resolves when no check is running.
 */
export function followSecret(deps: Deps): () => Promise<void> {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= followOnce(deps)
      .catch((cause) => deps.log.warn({ event: "secret.not_checked" }, cause))
      .finally(() => {
        running = null;
      });
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/**
 * Checks once whether a rotation of the instance secret is in progress. If this process does not have the new
 * secret of the rotation in progress, the function refuses the rotation.
 */
export async function followOnce(deps: Deps): Promise<void> {
  const { rotation, hasNewSecret } = await refreshKeys(deps, () => givenKeys(deps.config));
  if (rotation?.stage === "announced" && !hasNewSecret)
    await refuseRotation(deps, rotation, `${hostname()} ${process.pid}`);
}
