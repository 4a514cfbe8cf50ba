import type { User } from "@/access/principal";
import type { Deps } from "@/platform/deps";

/** The signed-in person's own record: `GET /user`. */
export const currentUser = (user: User, { config }: Deps): object => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state,
  locked: false,
  avatar_url: null,
  web_url: `${config.issuer}/${user.username}`,
  created_at: user.createdAt.toISOString(),
  bio: "",
  location: null,
  public_email: null,
  website_url: "",
  organization: null,
  job_title: "",
  pronouns: null,
  bot: false,
  confirmed_at: user.emailVerified ? user.createdAt.toISOString() : null,
  email: user.email,
  commit_email: user.email,
  identities: [],
  can_create_group: true,
  can_create_project: true,
  two_factor_enabled: user.twoFactor,
  external: false,
  private_profile: false,
  ...(user.admin ? { is_admin: true } : {}),
});
