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

declare const proven: unique symbol;

/** A group that the viewer may see, with the role of the viewer. Only `authorizeGroup` creates it. */
export type AuthorizedGroup = Group & Readonly<{ role: Role | null; [proven]: true }>;

/**
 * Returns null where the viewer may not see the group. The response must be the one for an unknown group.
 * @param leadsToTheirs whether the viewer is a member of a descendant, and can therefore see the group.
 */
export const authorizeGroup = (
  group: Group,
  viewer: Viewer,
  hasMembershipBelow = false,
): AuthorizedGroup | null =>
  hasMembershipBelow || canSee(group.visibility, viewer)
    ? ({ ...group, role: viewer.role } as AuthorizedGroup)
    : null;

/**
 * Returns whether a signed-in viewer may see the contents of a group, such as its members. Members of a descendant of a
 * private group can see the group, but not its contents.
 */
export const maySeeContents = ({ visibility, role }: AuthorizedGroup): boolean =>
  canSee(visibility, { signedIn: true, role });

/**
 * Returns whether a user is a member of a group, and therefore of all its descendants, with at least an access level.
 * Lists of the contents then need no visibility conditions. Administrators count only with a membership.
 * @param group authorized for the user.
 */
export const isMemberOfAll = (user: User | null, { role }: AuthorizedGroup, minLevel = 0): boolean =>
  user !== null && !user.admin && role !== null && ROLES[role].level >= minLevel;

/** The maximum depth of nested groups, which limits the length of URLs. */
export const GROUP_DEPTH_MAX = 20;

export const depthOf = (fullPath: string): number => fullPath.split("/").length;

/** Returns an error if a project or subgroup would be more visible than its parent group, or null. */
export const visibilityProblem = (visibility: Visibility, parent: Visibility | null): string | null =>
  parent !== null && isMoreOpen(visibility, parent)
    ? `${visibility} is not allowed in a ${parent} group.`
    : null;
