import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { sendMail } from "@/instance/mail/service";
import type { AccountDeletion } from "@/kernel/db/generated/sqlite/client";
import type { Deps } from "@/kernel/deps/deps";
import { repeatJob } from "@/kernel/jobs/repeated-job";
import * as deletions from "./deletion-store";
import { ghostUserId } from "./ghost";
import * as listStore from "./list-store";
import * as store from "./store";
import { deletionOf } from "./store.sql";

/** A running deletion of a user. */
export type RunningDeletion = Readonly<{
  user: User;
  /** The id of the ghost user, to whom the contributions are assigned. */
  ghostId: number;
  hard: boolean;
  /** The user whom audit events name as the actor: the administrator who requested the deletion, or the user. */
  by: User;
}>;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * The functions that delete the data of a user, or assign this data to the ghost user. The job calls
     * these functions in the order of the list. Each call of a function deletes or assigns a small number of
     * rows in short transactions, and returns whether rows remain.
     */
    accountDeletion: readonly ((deps: Deps, deletion: RunningDeletion) => Promise<boolean>)[];
  }
}

/**
 * The interval of the job that deletes accounts. If no deletion is due, a run of the job costs one indexed
 * query.
 */
const EVERY_MS = 5_000;

/**
 * The time for which only the process that has claimed a deletion may run the deletion. After this time, a
 * failed deletion is repeated.
 */
const CLAIMED_MS = 10 * 60_000;

const AT_ONCE = 10;

/**
 * Starts the job that deletes accounts.
 * @returns a function that stops the job; its promise resolves when no part of the job is running.
 */
export const scheduleAccountDeletions = (deps: Deps): (() => Promise<void>) =>
  repeatJob(
    deps,
    "account_deletions",
    async (signal) => {
      try {
        await deleteDueAccounts(deps, signal);
      } catch (cause) {
        deps.log.error({ event: "account_deletion.job_failed" }, cause);
      }
    },
    { everyMs: EVERY_MS, firstAfterMs: EVERY_MS },
  );

/** Runs the due deletions of users. Several processes may call the function simultaneously. */
export async function deleteDueAccounts(deps: Deps, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await deletions.listDue(deps.db, deps.clock(), AT_ONCE);
    for (const deletion of due) await attempt(deps, deletion, signal);
    if (due.length < AT_ONCE) return;
  }
}

async function attempt(deps: Deps, deletion: AccountDeletion, signal?: AbortSignal): Promise<void> {
  const until = new Date(deps.clock().getTime() + CLAIMED_MS);
  if (!(await deletions.claim(deps.db, deletion, until))) return;
  try {
    await run(deps, deletion, signal);
  } catch (cause) {
    deps.log.error({ event: "account_deletion.failed", user_id: deletion.userId }, cause);
  }
}

/**
 * Runs the requested deletion of a user until it is complete. Two processes may run the same deletion
 * simultaneously.
 */
export async function deleteAccount(deps: Deps, userId: number): Promise<void> {
  const deletion = await deletionOf(deps.reads, userId);
  if (deletion !== null) await run(deps, deletion);
}

async function run(
  deps: Deps,
  { userId, hard, actorId }: AccountDeletion,
  signal?: AbortSignal,
): Promise<void> {
  const before = await listStore.findListed(deps.reads, userId);
  if (before?.state === "deactivated" && !hard && (await isSoleOwner(deps, userId))) {
    deps.log.warn({ event: "account_deletion.sole_owner", user_id: userId });
    return;
  }
  // An administrator may have activated the user after the deletion was read.
  if (!(await deletions.markDeleting(deps.db, userId))) return;
  const user = await listStore.findListed(deps.reads, userId);
  if (user === null) return;
  const actor = actorId === null ? null : await store.findById(deps.reads, actorId);
  const running = { user, ghostId: await ghostUserId(deps), hard, by: actor ?? user };
  for (const step of deps.hooks.accountDeletion)
    for (let remains = true; remains; ) {
      if (signal?.aborted) return;
      remains = await step(deps, running);
    }
  await deps.transaction((within) => removeUser(within, running, actorId));
}

/**
 * Returns whether a group would have no active owner after the deletion of this user. The function checks the
 * owners again, because the other owners may have been blocked after the deletion was requested. The job
 * retries the deletion until the group has another owner.
 */
const isSoleOwner = async (deps: Deps, userId: number): Promise<boolean> =>
  (await deps.hooks.soleOwnedGroups(deps, userId)).length > 0;

async function removeUser(
  deps: Deps,
  { user, hard }: RunningDeletion,
  actorId: number | null,
): Promise<void> {
  const { id, username, name, email, emailVerified } = user;
  if (!(await store.remove(deps.db, id))) return;
  await audit.record(deps, "user.deleted", { username, hard }, { userId: id, actorId });
  if (!emailVerified) return;
  await sendMail(deps, {
    kind: "account_deleted",
    to: email,
    userId: null,
    subject: "Your account was deleted",
    content: {
      recipientName: name,
      paragraphs: [`The account @${username} was deleted.`],
    },
  });
}
