import type { Role } from "./roles";

/** The visibilities of projects and groups, from most to least restricted. Members can always see them. */
export const VISIBILITIES = ["private", "internal", "public"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const isVisibility = (word: string): word is Visibility =>
  VISIBILITIES.some((visibility) => visibility === word);

/** Returns whether `one` is less restricted than `other`. */
export const isMoreOpen = (one: Visibility, other: Visibility): boolean =>
  VISIBILITIES.indexOf(one) > VISIBILITIES.indexOf(other);

/** The facts about a viewer: whether they are signed in, and their role. */
export type Viewer = Readonly<{ signedIn: boolean; role: Role | null }>;

/**
 * Returns whether a viewer can see a project or group: members always, signed-in users if it is internal,
 * everybody if it is public.
 */
export const canSee = (visibility: Visibility, { signedIn, role }: Viewer): boolean =>
  role !== null || visibility === "public" || (visibility === "internal" && signedIn);

/** Returns the visibilities that a viewer without a role can see. */
export const openTo = (signedIn: boolean): readonly Visibility[] =>
  VISIBILITIES.filter((visibility) => canSee(visibility, { signedIn, role: null }));
