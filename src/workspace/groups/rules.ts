import type { User } from "@/access/principal";
import { ROLES, type Role } from "@/access/roles";
import { canSee, isMoreOpen, type Viewer, type Visibility } from "@/access/visibility";

export type Group = Readonly<{
  id: number;
  name: string;
  path: string;
  fullPath: string;
  description: string;
  visibility: Visibility;
  parentId: number | null;
  createdAt: Date;
}>;

declare const authorized: unique symbol;

/**
 * A group that the viewer can see, with the role of the viewer. Only the function `authorizeGroup` creates an
 * `AuthorizedGroup`.
 */
export type AuthorizedGroup = Group & Readonly<{ role: Role | null; [authorized]: true }>;

/**
 * Checks that the viewer can see a group.
 * @returns null if the viewer cannot see the group. If the result is null, the caller must send the same
 * response as for an unknown group.
 * @param isMemberOfDescendant whether the viewer is a member of a descendant. Members of a descendant can see
 * the group.
 */
export const authorizeGroup = (
  group: Group,
  viewer: Viewer,
  isMemberOfDescendant = false,
): AuthorizedGroup | null =>
  isMemberOfDescendant || canSee(group.visibility, viewer)
    ? ({ ...group, role: viewer.role } as AuthorizedGroup)
    : null;

/**
 * Returns whether a signed-in viewer may see the contents of a group, such as its members. Members of a descendant of a
 * private group can see the group, but not its contents.
 */
export const maySeeContents = ({ visibility, role }: AuthorizedGroup): boolean =>
  canSee(visibility, { signedIn: true, role });

/**
 * Returns whether a user has at least this access level in a group, and therefore in all descendants of the
 * group. If the result is true, queries for lists of the group's contents need no visibility conditions. The
 * function ignores the rights of administrators, who do not need a membership.
 * @param group a group that was authorized for the user.
 */
export const isMemberOfAll = (user: User | null, { role }: AuthorizedGroup, minLevel = 0): boolean =>
  user !== null && !user.admin && role !== null && ROLES[role].level >= minLevel;

/** The maximum number of nested groups. The maximum nesting also limits the length of the URLs of groups. */
export const GROUP_DEPTH_MAX = 20;

/**
 * Returns the full name of a group: the paths of its ancestors and the name of the group. The row of a group
 * contains the paths, but not the names, of its ancestors.
 */
export const fullNameOf = ({ fullPath, name }: Pick<Group, "fullPath" | "name">): string =>
  fullPath.split("/").slice(0, -1).concat(name).join(" / ");

export const depthOf = (fullPath: string): number => fullPath.split("/").length;

/** Returns an error text if a project or subgroup would be more visible than its parent group; null otherwise. */
export const visibilityProblem = (visibility: Visibility, parent: Visibility | null): string | null =>
  parent !== null && isMoreOpen(visibility, parent)
    ? `${visibility} is not allowed in a ${parent} group.`
    : null;
