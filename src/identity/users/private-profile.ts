import type { User } from "@/access/principal";

/**
 * Returns whether a viewer can see the profile of a user. Only the user and administrators can see a private
 * profile.
 */
export const isProfileVisible = (user: Pick<User, "id" | "privateProfile">, viewer: User | null): boolean =>
  !user.privateProfile || viewer?.admin === true || viewer?.id === user.id;
