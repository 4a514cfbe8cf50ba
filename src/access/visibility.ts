import type { Role } from "./roles";

/**
 * The visibilities of projects and groups, from most to least restricted. Members can see projects and groups
 * of every visibility.
 */
export const VISIBILITIES = ["private", "internal", "public"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const isVisibility = (word: string): word is Visibility =>
  VISIBILITIES.some((visibility) => visibility === word);

/** Returns whether `visibility` is less restricted than `other`. */
export const isMoreOpen = (visibility: Visibility, other: Visibility): boolean =>
  VISIBILITIES.indexOf(visibility) > VISIBILITIES.indexOf(other);

/**
 * The properties of a viewer that determine which projects and groups the viewer can see: whether the viewer
 * is signed in, and the role of the viewer.
 */
export type Viewer = Readonly<{ signedIn: boolean; role: Role | null }>;

/**
 * Returns whether a viewer can see a project or group. Members can see projects and groups of every
 * visibility. Signed-in users can see internal projects and groups. Everybody can see public projects and
 * groups.
 */
export const canSee = (visibility: Visibility, { signedIn, role }: Viewer): boolean =>
  role !== null || visibility === "public" || (visibility === "internal" && signedIn);

/** Returns the visibilities of the projects and groups that a viewer without a role can see. */
export const openTo = (signedIn: boolean): readonly Visibility[] =>
  VISIBILITIES.filter((visibility) => canSee(visibility, { signedIn, role: null }));
