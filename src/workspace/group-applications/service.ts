import type { User } from "@/access/principal";
import { reaches } from "@/access/roles";
import type { Deps } from "@/kernel/deps/deps";
import type { TransferTarget } from "@/oauth/applications/transfer";
import { findGroup } from "../groups/service";

/** The new owner of a transferred application, with the name that the page shows. */
export type Target = Readonly<{ owner: TransferTarget; name: string; path: string }>;

/** The reason why the entered name is not the name of a possible new owner. */
export type TargetRefusal = "unknown" | "not_owner" | "same";

/**
 * Returns the new owner of an application by name: the user's own username, or the full path of a group. The
 * user must have the role Owner in the group.
 * @returns `unknown` if no group that the user can see has this full path; `not_owner` if the user is not an
 * Owner of the group.
 */
export async function findTarget(deps: Deps, user: User, text: string): Promise<Target | TargetRefusal> {
  if (text.replace(/^@/, "").toLowerCase() === user.username.toLowerCase())
    return { owner: "self", name: user.name, path: `@${user.username}` };
  // `findGroup` would treat a number as the id of a group, but the path of a group is never a number.
  const group = /^\d*$/.test(text) ? null : await findGroup(deps, text, user);
  if (group === null) return "unknown";
  if (!reaches(group.role, "owner")) return "not_owner";
  const { id, name, fullPath } = group;
  return { owner: { groupId: id, fullPath }, name, path: fullPath };
}
