import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import { groupPathsOf } from "@/features/members/service";
import type { Deps } from "@/platform/deps";

/** Claims about a person by the scope that opens them (OpenID Connect Core §5.4); nobody has a `picture` here. */
const CLAIMS = {
  profile: ({ name, username }: User, deps: Deps) => ({
    name,
    nickname: username,
    preferred_username: username,
    profile: `${deps.config.issuer}/${username}`,
  }),
  email: ({ email, emailVerified }: User) => ({ email, email_verified: emailVerified }),
} as const satisfies Partial<Record<Scope, (user: User, deps: Deps) => object>>;

/** What userinfo and ID tokens may say of a person. */
export const PERSON_CLAIMS = [
  "name",
  "nickname",
  "preferred_username",
  "profile",
  "email",
  "email_verified",
  "groups",
  "groups_direct",
] as const;

/** What these scopes tell of a person; without empty members. */
export function claimsOf(deps: Deps, user: User, scopes: readonly string[]): object {
  return {
    ...(scopes.includes("profile") ? CLAIMS.profile(user, deps) : {}),
    ...(scopes.includes("email") ? CLAIMS.email(user) : {}),
  };
}

/** The groups that somebody is in, those below them included, for userinfo; without the member when they are too many. */
export async function groupsClaim(deps: Deps, user: User): Promise<object> {
  const groups = await groupPathsOf(deps, user.id, { below: true });
  return groups === null ? {} : { groups };
}

/** An ID token comes back in an address, as `id_token_hint`, and servers take eight thousand characters of one. */
const DIRECT_CHARACTERS_MAX = 4_096;

/** The groups in which somebody is a member themselves, for ID tokens; without the member when they are too long. */
export async function directGroupsClaim(deps: Deps, user: User): Promise<object> {
  const groups = await groupPathsOf(deps, user.id, { below: false });
  return groups === null || JSON.stringify(groups).length > DIRECT_CHARACTERS_MAX
    ? {}
    : { groups_direct: groups };
}
