import { isUniqueViolation } from "@/kernel/db/errors";
import type { Deps } from "@/kernel/deps/deps";
import * as ghostStore from "./ghost-store";
import * as store from "./store";
import { nameIsTakenByOthers } from "./top-level-names";

/**
 * The possible usernames of the ghost user. The list has several usernames, because another user may have
 * chosen the first username before it was reserved.
 */
const USERNAMES = ["ghost", "ghost1", "ghost2", "ghost3", "ghost4", "ghost5"] as const;

/**
 * Returns the id of the ghost user, to whom the contributions of deleted users are assigned. The first call
 * creates the ghost user. The ghost user cannot sign in, has no access, and is missing from all lists of
 * users.
 */
export async function ghostUserId(deps: Deps): Promise<number> {
  const id = await ghostStore.findGhost(deps.db, USERNAMES);
  if (id !== null) return id;
  try {
    return (await ghostStore.insertGhost(deps.db, await freeUsername(deps), deps.clock())).id;
  } catch (cause) {
    // Another process may have created the ghost user.
    const created = isUniqueViolation(cause) ? await ghostStore.findGhost(deps.db, USERNAMES) : null;
    if (created === null) throw cause;
    return created;
  }
}

async function freeUsername(deps: Deps): Promise<string> {
  const taken = await store.existingUsernames(deps.db, USERNAMES);
  for (const username of USERNAMES)
    if (!taken.includes(username) && !(await nameIsTakenByOthers(deps, username))) return username;
  throw new Error(
    `The ghost user cannot be created, because other users or groups have the usernames ${USERNAMES.join(", ")}.`,
  );
}
