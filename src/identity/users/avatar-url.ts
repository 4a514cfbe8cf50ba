import type { User } from "@/access/principal";

/**
 * Returns the path of the avatar of a user, in the form that GitLab uses; null for a user without an avatar.
 * The path of an avatar contains the digest of the picture, so that browsers may cache the picture
 * permanently.
 */
export const avatarPath = ({ id, avatarDigest }: Pick<User, "id" | "avatarDigest">): string | null =>
  avatarDigest === null ? null : `/uploads/-/system/user/avatar/${id}/${avatarDigest}.png`;
