import { z } from "zod";
import type { User } from "@/access/principal";
import { defineEntity, moment } from "../entity";

export const basicUserFields = {
  id: z.int(),
  username: z.string(),
  name: z.string(),
  state: z.enum(["active", "blocked"]),
  locked: z.boolean(),
  avatar_url: z.url().nullable(),
  web_url: z.url(),
};

/** What is needed of a person to show who they are. */
export type Person = Pick<User, "id" | "username" | "name" | "state">;

export const basicUserOf = ({ id, username, name, state }: Person, issuer: string) => ({
  id,
  username,
  name,
  state,
  locked: false,
  avatar_url: null,
  web_url: `${issuer}/${username}`,
});

/** A person wherever one is mentioned. */
export const basicUser = defineEntity("basic_user", basicUserFields, (person: Person, { config }) =>
  basicUserOf(person, config.issuer),
);

/** The signed-in person's own record: `GET /user`. */
export const currentUser = defineEntity(
  "current_user",
  {
    ...basicUserFields,
    created_at: moment,
    bio: z.string(),
    location: z.string().nullable(),
    public_email: z.string().nullable(),
    website_url: z.string(),
    organization: z.string().nullable(),
    job_title: z.string(),
    pronouns: z.string().nullable(),
    bot: z.boolean(),
    confirmed_at: moment.nullable(),
    email: z.string(),
    commit_email: z.string(),
    identities: z.array(z.unknown()),
    can_create_group: z.boolean(),
    can_create_project: z.boolean(),
    two_factor_enabled: z.boolean(),
    external: z.boolean(),
    private_profile: z.boolean(),
    is_admin: z.boolean().optional(),
  },
  (user: User, { config }) => ({
    ...basicUserOf(user, config.issuer),
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
  }),
);
