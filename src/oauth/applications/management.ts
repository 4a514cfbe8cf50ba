import type { User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";
import type { ApplicationRight, ManagedApplication } from "./rules";
import { hasRight, rightOf } from "./rules";
import * as store from "./store";

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** Returns whether a user has the role Owner in a group. Administrators have this role in every group. */
    isGroupOwner: (deps: Deps, user: User, groupId: number) => Promise<boolean>;
  }
}

/**
 * Returns an application that a user manages, with the user's right to manage the application.
 * @returns null if the application does not exist, or if the user lacks the required right.
 */
export async function findManaged(
  deps: Deps,
  user: User,
  id: number,
  right: ApplicationRight = "edit",
): Promise<ManagedApplication | null> {
  const application = await store.findManageable(deps.reads, user.id, id);
  if (application === null) return null;
  const { owner } = application;
  const ownsGroup = owner.kind === "group" && (await deps.hooks.isGroupOwner(deps, user, owner.id));
  const held = rightOf(application, user, ownsGroup);
  return held === null || !hasRight(held, right) ? null : { ...application, right: held };
}

/**
 * Returns the same application as `findManaged`, and locks the row of the application until the transaction
 * ends.
 */
export async function lockManaged(
  within: Deps,
  user: User,
  id: number,
  right: ApplicationRight = "edit",
): Promise<ManagedApplication | null> {
  if ((await findManaged(within, user, id, right)) === null) return null;
  await store.lock(within.db, id, within.clock());
  // A simultaneous transfer may have removed the user's right to manage the application before the row of the
  // application was locked.
  return findManaged(within, user, id, right);
}
