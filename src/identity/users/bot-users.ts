import type { User, UserKind } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
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
