import type { Role } from "./roles";

/** Who sees a project or a group, beside its members; from the most closed to the most open. */
export const VISIBILITIES = ["private", "internal", "public"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const isVisibility = (word: string): word is Visibility =>
  VISIBILITIES.some((visibility) => visibility === word);

/** Whether `one` shows more than `other`. */
export const isMoreOpen = (one: Visibility, other: Visibility): boolean =>
  VISIBILITIES.indexOf(one) > VISIBILITIES.indexOf(other);

/** Someone who looks at something: whether they are known at all, and what they are there. */
export type Viewer = Readonly<{ signedIn: boolean; role: Role | null }>;

/** Members see everything, signed-in people what is internal, and everybody what is public. */
export const canSee = (visibility: Visibility, { signedIn, role }: Viewer): boolean =>
  role !== null || visibility === "public" || (visibility === "internal" && signedIn);

/** What someone sees who is a member nowhere. */
export const openTo = (signedIn: boolean): readonly Visibility[] =>
  VISIBILITIES.filter((visibility) => canSee(visibility, { signedIn, role: null }));
