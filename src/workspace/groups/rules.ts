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

/** A group that its viewer may see, with what they are there. Only `authorizeGroup` makes one. */
export type AuthorizedGroup = Group & Readonly<{ role: Role | null; [proven]: true }>;

/**
 * Null: the viewer may not see it, which must look as if it did not exist.
 * @param leadsToTheirs whether they are a member of something below it: then they see that it is there.
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
 * Whether somebody with an account sees what is in a group itself, such as who its members are: who is only a member of
 * something below a private one sees that it is there.
 */
export const maySeeContents = ({ visibility, role }: AuthorizedGroup): boolean =>
  canSee(visibility, { signedIn: true, role });

/**
 * Whether somebody is a member of all that lies below a group, and at least that much there, since they are so in the
 * group: then nothing below it need be asked for who sees it. Administrators are members nowhere by that alone.
 * @param group proven for them.
 */
export const isMemberOfAll = (user: User | null, { role }: AuthorizedGroup, minLevel = 0): boolean =>
  user !== null && !user.admin && role !== null && ROLES[role].level >= minLevel;

/** Deeper than people nest, and few enough for an address. */
export const GROUP_DEPTH_MAX = 20;

export const depthOf = (fullPath: string): number => fullPath.split("/").length;

/** What lies below a group shows no more than the group itself. Null: it may. */
export const visibilityProblem = (asked: Visibility, above: Visibility | null): string | null =>
  above !== null && isMoreOpen(asked, above) ? `${asked} is not allowed in a ${above} group.` : null;
