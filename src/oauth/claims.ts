import type { User } from "@/access/principal";
import type { Scope } from "@/access/scopes";
import type { Deps } from "@/platform/deps";

/** Claims about a person by the scope that opens them (OpenID Connect Core §5.4); `picture` is for those who have one. */
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
] as const;

/** What these scopes tell of a person; without empty members. */
export function claimsOf(deps: Deps, user: User, scopes: readonly string[]): object {
  return {
    ...(scopes.includes("profile") ? CLAIMS.profile(user, deps) : {}),
    ...(scopes.includes("email") ? CLAIMS.email(user) : {}),
  };
}
