import type { User } from "@/access/principal";
import { notify } from "@/identity/notices/service";
import { findById } from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import { repeatJob } from "@/kernel/jobs/repeated-job";
import * as store from "./store";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * Returns the label and path of the project or group to which the access token of a bot belongs, and the
     * active users who may rotate the token.
     */
    tokenManagers: (
      deps: Deps,
      botId: number,
    ) => Promise<Readonly<{ place: readonly [string, string]; managers: readonly User[] }>>;
  }
}

/** The time from the reminder, which the owner of a token gets by e-mail, to the expiry of the token. */
const REMINDED_BEFORE_MS = 7 * 86_400_000;

const EVERY_MS = 60 * 60_000;
const FIRST_AFTER_MS = 2 * 60_000;
const TOKENS_AT_ONCE = 100;

/**
 * Starts the job that reminds owners of personal access tokens that expire within seven days.
 * @returns a function that stops the job. The stop function returns a promise, which resolves when no part of
 * the job is running.
 */
export const scheduleExpiryReminders = (deps: Deps): (() => Promise<void>) =>
  repeatJob(
    deps,
    "personal_token_reminders",
    async (signal) => {
      try {
        await remindOfExpiry(deps, signal);
      } catch (cause) {
        deps.log.error({ event: "personal_token.reminder_failed" }, cause);
      }
    },
    { everyMs: EVERY_MS, firstAfterMs: FIRST_AFTER_MS },
  );

/**
 * Sends a reminder for each personal access token that expires within seven days, once for each token. For the token of a
 * project or a group, the members who may manage its access tokens get the reminder. A token whose
 * lifetime is seven days or less causes no reminder. Several processes may call the function simultaneously.
 */
export async function remindOfExpiry(deps: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const now = deps.clock();
    const until = new Date(now.getTime() + REMINDED_BEFORE_MS);
    const tokens = await store.listUnreminded(deps.db, { now, until, most: TOKENS_AT_ONCE });
    for (const token of tokens) await deps.transaction((within) => remindOf(within, token, now));
    if (tokens.length < TOKENS_AT_ONCE) return;
  }
}

async function remindOf(deps: Deps, token: store.ExpiringToken, now: Date): Promise<void> {
  if (!(await store.claimReminder(deps.db, token.id, now))) return;
  const { userId, name, createdAt, expiresAt } = token;
  if (expiresAt.getTime() - createdAt.getTime() <= REMINDED_BEFORE_MS) return;
  const user = await findById(deps, userId);
  if (user?.state !== "active") return;
  const facts = [
    ["Token", name],
    ["Expires", expiresAt.toISOString().slice(0, 10)],
  ] as const;
  if (user.kind !== "access_token_bot") return notify(deps, user, "personal_token_expiring", { facts });
  const { place, managers } = await deps.hooks.tokenManagers(deps, userId);
  for (const manager of managers)
    await notify(deps, manager, "access_token_expiring", { facts: [place, ...facts] });
}
