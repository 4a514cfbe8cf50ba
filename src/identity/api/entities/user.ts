import { z } from "zod";
import { confirmedEmail, isBot, USER_STATES, type User } from "@/access/principal";
import { defineEntity, moment } from "@/http-api/entity";
import type { UserWithIdentities } from "@/identity/linked-identities/service";
import { avatarPath } from "@/identity/users/avatar-url";
import { isProfileVisible } from "@/identity/users/private-profile";

export const basicUserFields = {
  id: z.int(),
  username: z.string(),
  name: z.string(),
  state: z.enum(USER_STATES),
  locked: z.boolean(),
  avatar_url: z.url().nullable(),
  web_url: z.url(),
};

const avatarUrl = (user: Pick<User, "id" | "avatarDigest">, issuer: string): string | null => {
  const path = avatarPath(user);
  return path === null ? null : `${issuer}${path}`;
};

/** The response to a change of the avatar. */
export const avatar = defineEntity(
  "avatar",
  { avatar_url: z.url().nullable() },
  (user: Pick<User, "id" | "avatarDigest">, { config }) => ({ avatar_url: avatarUrl(user, config.issuer) }),
);

/** The columns of a user that screens show to identify the user. */
export type UserReference = Pick<User, "id" | "username" | "name" | "state" | "avatarDigest">;

export const basicUserOf = ({ id, username, name, state, avatarDigest }: UserReference, issuer: string) => ({
  id,
  username,
  name,
  state,
  locked: false,
  avatar_url: avatarUrl({ id, avatarDigest }, issuer),
  web_url: `${issuer}/${username}`,
});

/** The fields of a user that the API returns to everyone unless the profile is private. */
const profileFields = {
  created_at: moment,
  bio: z.string(),
  location: z.string().nullable(),
  public_email: z.string().nullable(),
  website_url: z.string(),
  organization: z.string().nullable(),
  job_title: z.string(),
  pronouns: z.string().nullable(),
  bot: z.boolean(),
};

const profileOf = (user: User) => ({
  created_at: user.createdAt.toISOString(),
  bio: "",
  location: null,
  public_email: null,
  website_url: "",
  organization: null,
  job_title: "",
  pronouns: null,
  bot: isBot(user),
});

/** The fields of a user that the API returns only to the user and to administrators. */
const accountFields = {
  confirmed_at: moment.nullable(),
  email: z.string().nullable().describe("Null until an e-mail address is confirmed."),
  commit_email: z.string().nullable(),
  identities: z
    .array(z.object({ provider: z.string(), extern_uid: z.string(), saml_provider_id: z.null() }))
    .describe("The accounts at other providers with which the user signs in."),
  can_create_group: z.boolean(),
  can_create_project: z.boolean(),
  two_factor_enabled: z.boolean(),
  external: z.boolean(),
};

const identitiesOf = ({ identities = [] }: UserWithIdentities) =>
  identities.map(({ provider, subject }) => ({ provider, extern_uid: subject, saml_provider_id: null }));

const accountOf = (user: UserWithIdentities) => ({
  confirmed_at: user.emailVerified ? user.createdAt.toISOString() : null,
  email: confirmedEmail(user),
  commit_email: confirmedEmail(user),
  identities: identitiesOf(user),
  can_create_group: !isBot(user),
  can_create_project: !isBot(user),
  two_factor_enabled: user.twoFactor,
  external: false,
});

/** The response of `GET /user` for the current user. */
export const currentUser = defineEntity(
  "current_user",
  {
    ...basicUserFields,
    ...profileFields,
    ...accountFields,
    private_profile: z.boolean(),
    is_admin: z.boolean().optional(),
  },
  (user: UserWithIdentities, { config }) =>
    Object.assign(basicUserOf(user, config.issuer), profileOf(user), accountOf(user), {
      private_profile: user.privateProfile,
      ...(user.admin ? { is_admin: true } : {}),
    }),
);

const restForAdministrators = z.object({ ...accountFields, is_admin: z.boolean() }).partial().shape;

const administratorsView = (user: UserWithIdentities, viewer: User | null) =>
  viewer?.admin === true ? Object.assign(accountOf(user), { is_admin: user.admin }) : {};

/** The response for a single user. */
export const user = defineEntity(
  "user",
  {
    ...basicUserFields,
    private_profile: z.boolean(),
    ...z.object(profileFields).partial().shape,
    ...restForAdministrators,
  },
  (shown: UserWithIdentities, { config }, viewer) =>
    Object.assign(
      basicUserOf(shown, config.issuer),
      { private_profile: shown.privateProfile },
      isProfileVisible(shown, viewer) ? profileOf(shown) : {},
      administratorsView(shown, viewer),
    ),
);

/**
 * The API entry for a user in a list of users. For a caller who is not an administrator, the entry contains
 * only the basic fields.
 */
export const listedUser = defineEntity(
  "listed_user",
  {
    ...basicUserFields,
    private_profile: z.boolean().optional(),
    ...z.object(profileFields).partial().shape,
    ...restForAdministrators,
  },
  (shown: UserWithIdentities, { config }, viewer) =>
    Object.assign(
      basicUserOf(shown, config.issuer),
      viewer?.admin === true ? { private_profile: shown.privateProfile } : {},
      viewer?.admin === true ? profileOf(shown) : {},
      administratorsView(shown, viewer),
    ),
);
