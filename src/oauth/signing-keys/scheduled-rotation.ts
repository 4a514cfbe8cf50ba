import type { Deps } from "@/kernel/deps/deps";
import { repeatJob } from "@/kernel/jobs/repeated-job";
import { rotateOldKeys } from "./service";

const FIRST_AFTER_MS = 120_000;
const EVERY_MS = 60 * 60_000;

/**
 * Starts the job that replaces old signing keys.
 * @returns a function that stops the job. The stop function returns a promise, which resolves when the job no
 * longer runs.
 */
export const scheduleKeyRotation = (deps: Deps): (() => Promise<void>) =>
  repeatJob(
    deps,
    "signing_key_rotation",
    async () => {
      try {
        await rotateOldKeys(deps);
      } catch (cause) {
        deps.log.error({ event: "keys.rotation_failed" }, cause);
      }
    },
    { everyMs: EVERY_MS, firstAfterMs: FIRST_AFTER_MS },
  );
