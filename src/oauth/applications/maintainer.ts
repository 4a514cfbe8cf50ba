import type { User } from "@/access/principal";
import { find as findUser } from "@/identity/users/service";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { lockManaged } from "./management";
import * as store from "./store";

/** The reason why a user cannot become the second maintainer of an application. */
export type MaintainerRefusal = "absent" | "unknown_user" | "is_owner" | "has_maintainer";

/**
 * Adds a second maintainer to an application of a user. The maintainer may edit the application and its secrets, but
 * not delete or transfer the application.
 * @param username the username of an active user.
 */
export async function addMaintainer(
  deps: Deps,
  by: User,
  id: number,
  username: string,
): Promise<User | MaintainerRefusal> {
  // The maintainer form accepts no e-mail addresses, because the form would then reveal which e-mail
  // addresses have an account.
  const user = username === "" || username.includes("@") ? null : await findUser(deps, username);
  return deps.transaction(async (within) => {
    const application = await lockManaged(within, by, id, "own");
    if (application === null || application.owner.kind === "group") return "absent";
    if (user === null || user.state !== "active") return "unknown_user";
    if (user.id === application.owner.id) return "is_owner";
    if (application.maintainer !== null) return "has_maintainer";
    await store.setMaintainer(within.db, id, user.id);
    const about = { userId: by.id, applicationId: id };
    await audit.record(within, "application.maintainer_added", { maintainer: user.username }, about);
    return user;
  });
}

/**
 * Removes the second maintainer of an application. The owner of the application and the maintainer may remove
 * the maintainer.
 * @returns whether the application had a maintainer.
 */
export const removeMaintainer = (deps: Deps, by: User, id: number): Promise<boolean> =>
  deps.transaction(async (within) => {
    const application = await lockManaged(within, by, id);
    if (application === null || application.maintainer === null) return false;
    await store.setMaintainer(within.db, id, null);
    const { username } = application.maintainer;
    const about = { userId: by.id, applicationId: id };
    await audit.record(within, "application.maintainer_removed", { maintainer: username }, about);
    return true;
  });
