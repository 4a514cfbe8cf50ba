import type { User, UserKind } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import * as deletions from "./deletion-store";
import * as store from "./store";

/** The properties of a new bot. */
export type NewBot = Readonly<{ kind: Exclude<UserKind, "human">; username: string; name: string }>;

const NO_PASSWORD = "";

/**
 * Creates a bot, in the transaction of `deps`. A bot has no password and no confirmed e-mail address, and cannot sign in.
 */
export const createBot = (deps: Deps, { kind, username, name }: NewBot): Promise<User> =>
  store.insert(deps.db, {
    kind,
    username,
    email: `${username}@noreply.${new URL(deps.config.issuer).hostname}`,
    emailVerified: false,
    name,
    passwordDigest: NO_PASSWORD,
    admin: false,
    state: "active",
    privateProfile: false,
    createdAt: deps.clock(),
  });

/** Changes the name of a bot. */
export const renameBot = ({ db }: Pick<Deps, "db">, id: number, name: string): Promise<void> =>
  store.setBotName(db, id, name);

/**
 * Activates or deactivates a bot. The tokens of a bot work only while the bot is active. A bot that an
 * administrator has blocked stays blocked.
 */
export async function setBotActive({ db }: Pick<Deps, "db">, id: number, active: boolean): Promise<void> {
  if (active) await store.setState(db, id, "active", ["deactivated"]);
  else await store.setState(db, id, "deactivated", ["active"]);
}

/**
 * Blocks a bot and requests its deletion, in the transaction of `deps`. A job runs the deletion later. The
 * contributions of the bot are assigned to the ghost user.
 */
export async function removeBot(deps: Deps, id: number): Promise<void> {
  const now = deps.clock();
  await store.setState(deps.db, id, "blocked");
  await deletions.markDeleting(deps.db, id);
  const times = { requestedAt: now, dueAt: now, nextAttemptAt: now };
  await deletions.upsert(deps.db, { userId: id, hard: false, actorId: null, ...times });
}

/**
 * Removes at most `most` bots whose application was deleted together with its group or its owner.
 * @returns the number of removed bots.
 */
export const removeBotsWithoutApplication = (deps: Deps, most: number): Promise<number> =>
  deps.transaction(async (within) => {
    const ids = await store.botsWithoutApplication(within.db, most);
    for (const id of ids) await removeBot(within, id);
    return ids.length;
  });
