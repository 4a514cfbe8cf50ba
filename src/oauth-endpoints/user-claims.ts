import { confirmedEmail, type User } from "@/access/principal";
import { avatarPath } from "@/identity/users/avatar-url";
import type { Deps } from "@/kernel/deps/deps";

/** The full paths of groups; null if the user has too many groups for one response. */
export type GroupPaths = readonly string[] | null;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /**
     * The groups of a user: `direct` contains the groups with a direct membership, and `all` contains these
     * groups and the groups with an inherited membership.
     */
    groupPaths: (deps: Deps, userId: number) => Promise<Readonly<{ direct: GroupPaths; all: GroupPaths }>>;
  }
}

/**
 * The claims about a user, by scope (OpenID Connect Core §5.4). The claim `picture` exists
 * only for users with an avatar.
 */
const PROFILE = (user: User, deps: Deps) => {
  const { name, username } = user;
  const picture = avatarPath(user);
  return {
    name,
    nickname: username,
    preferred_username: username,
    profile: `${deps.config.issuer}/${username}`,
    ...(picture === null ? {} : { picture: `${deps.config.issuer}${picture}` }),
  };
};
const EMAIL = (user: User) => {
  const email = confirmedEmail(user);
  return email === null ? {} : { email, email_verified: true };
};

/** The claims about a user that userinfo and ID tokens can have. */
export const USER_CLAIMS = [
  "name",
  "nickname",
  "preferred_username",
  "profile",
  "picture",
  "email",
  "email_verified",
  "groups",
  "groups_direct",
] as const;

/**
 * Returns the claims that the scopes grant. As in GitLab, the scope `openid` also grants the claims of the
 * scope `profile` (docs/decisions/0038).
 */
export function claimsOf(deps: Deps, user: User, scopes: readonly string[]): object {
  return {
    ...(scopes.includes("openid") || scopes.includes("profile") ? PROFILE(user, deps) : {}),
    ...(scopes.includes("email") ? EMAIL(user) : {}),
  };
}

/**
 * Returns the claim `groups` for userinfo, with inherited memberships. The result is empty when the user has
 * too many groups.
 */
export async function groupsClaim(deps: Deps, user: User): Promise<object> {
  const { all } = await deps.hooks.groupPaths(deps, user.id);
  return all === null ? {} : { groups: all };
}
