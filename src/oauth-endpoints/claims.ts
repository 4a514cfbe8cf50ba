import { confirmedEmail, type User } from "@/access/principal";
import type { Deps } from "@/kernel/deps/deps";

/** Full paths of groups; null when they are too many for an answer. */
type GroupPaths = readonly string[] | null;

declare module "@/kernel/deps/deps" {
  interface Hooks {
    /** The groups of a user: those that the user is a member of, and all, inherited memberships included. */
    groupPaths: (deps: Deps, userId: number) => Promise<Readonly<{ direct: GroupPaths; all: GroupPaths }>>;
  }
}

/** Claims about a user by scope (OpenID Connect Core §5.4). `picture` is missing: no user has one. */
const PROFILE = ({ name, username }: User, deps: Deps) => ({
  name,
  nickname: username,
  preferred_username: username,
  profile: `${deps.config.issuer}/${username}`,
});
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
  "email",
  "email_verified",
  "groups",
  "groups_direct",
] as const;

/** The claims that these scopes open: `openid` opens the profile, too, as GitLab does it (docs/decisions/0038). */
export function claimsOf(deps: Deps, user: User, scopes: readonly string[]): object {
  return {
    ...(scopes.includes("openid") || scopes.includes("profile") ? PROFILE(user, deps) : {}),
    ...(scopes.includes("email") ? EMAIL(user) : {}),
  };
}

/** The groups of a user for userinfo, inherited memberships included; without the member when they are too many. */
export async function groupsClaim(deps: Deps, user: User): Promise<object> {
  const { all } = await deps.hooks.groupPaths(deps, user.id);
  return all === null ? {} : { groups: all };
}

/** An ID token comes back in a URL, as `id_token_hint`, and servers accept eight thousand characters of one. */
const CHARACTERS_MAX = 2_048;

/** The groups of a user for ID tokens; without a member whose list is too long. */
export async function idTokenGroups(deps: Deps, user: User): Promise<object> {
  const { direct, all } = await deps.hooks.groupPaths(deps, user.id);
  const fits = (paths: GroupPaths) => paths !== null && JSON.stringify(paths).length <= CHARACTERS_MAX;
  return {
    ...(fits(all) ? { groups: all } : {}),
    ...(fits(direct) ? { groups_direct: direct } : {}),
  };
}
