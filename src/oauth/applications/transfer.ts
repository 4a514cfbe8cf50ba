import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import type { Deps } from "@/kernel/deps/deps";
import { lockManaged } from "./management";
import type { ApplicationOwner, ManagedApplication } from "./rules";
import * as store from "./store";

/** The new owner of an application: the user who transfers it, or a group. */
export type TransferTarget = "self" | Readonly<{ groupId: number; fullPath: string }>;

/**
 * Transfers an application to another owner, and removes its second maintainer. The tokens and secrets of the
 * application keep working. An application is no longer trusted after a transfer by a user who is not an
 * administrator. The administrator trusted only the earlier owner.
 * @returns `same` if the new owner already owns the application. The result is `absent` if the user does not
 * own the application, or is not an Owner of the new group.
 */
export const transferApplication = (
  deps: Deps,
  by: User,
  id: number,
  target: TransferTarget,
): Promise<ManagedApplication | "absent" | "same"> =>
  deps.transaction(async (within) => {
    const application = await lockManaged(within, by, id, "own");
    if (application === null) return "absent";
    if (target !== "self" && !(await within.hooks.isGroupOwner(within, by, target.groupId))) return "absent";
    if (isOwner(application.owner, by, target)) return "same";
    const owner =
      target === "self"
        ? ({ kind: "user", id: by.id } as const)
        : ({ kind: "group", id: target.groupId } as const);
    await store.setOwner(within.db, id, owner);
    const about = { userId: by.id, applicationId: id };
    const to = target === "self" ? `@${by.username}` : target.fullPath;
    await audit.record(within, "application.transferred", { from: pathOf(application.owner), to }, about);
    if (application.trusted && !by.admin) {
      await store.endTrust(within.db, id);
      await audit.record(within, "application.trust_changed", { trusted: false }, about);
    }
    if (application.resourceServer && !by.admin) {
      await store.setResourceServer(within.db, id, false);
      await audit.record(within, "application.resource_server_changed", { resourceServer: false }, about);
    }
    return application;
  });

/** Returns whether the target of a transfer already owns the application. */
export function isOwner(owner: ApplicationOwner, by: Pick<User, "id">, target: TransferTarget): boolean {
  if (target === "self") return owner.kind !== "group" && owner.id === by.id;
  return owner.kind === "group" && owner.id === target.groupId;
}

const pathOf = ({ kind, path }: ApplicationOwner): string => (kind === "group" ? path : `@${path}`);
