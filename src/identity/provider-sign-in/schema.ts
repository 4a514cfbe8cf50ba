import { z } from "zod";
import type { Identity } from "../linked-identities/rules";
import type { Provider } from "../providers/rules";
import type { Authenticated } from "./client";

/** The maximum length of a subject identifier (OpenID Connect Core 1.0 §2). */
const SUBJECT_CHARACTERS_MAX = 255;
const VALUES_MAX = 2_000;

const optionalText = (most: number) =>
  z
    .string()
    .max(most)
    .optional()
    .catch(undefined)
    .transform((text) => text?.trim() || null);

const claims = z.object({
  sub: z.string().min(1).max(SUBJECT_CHARACTERS_MAX),
  email: optionalText(254),
  // Some providers send the text "true" instead of the boolean value.
  email_verified: z
    .union([z.boolean(), z.literal("true"), z.literal("false")])
    .optional()
    .catch(false),
  preferred_username: optionalText(255),
  nickname: optionalText(255),
  name: optionalText(255),
  // The maximum of `auth_time` is the latest time that a `Date` can represent.
  auth_time: z.number().min(1).max(8.64e12).optional().catch(undefined),
});

/** Parses the verified claims of an ID token and of the response of the UserInfo endpoint. */
export function readIdentity(provider: Provider, given: Readonly<Record<string, unknown>>): Authenticated {
  const { sub, email, email_verified, preferred_username, nickname, name, auth_time } = claims.parse(given);
  const isVerified =
    email_verified === undefined
      ? provider.trustsEmails
      : email_verified === true || email_verified === "true";
  return {
    identity: {
      provider: provider.name,
      issuer: provider.issuer,
      subject: sub,
      email,
      emailVerified: email !== null && isVerified,
      username: preferred_username ?? nickname,
      name,
      groups: groupsIn(provider.groupsClaim, given),
    },
    authenticatedAt: auth_time === undefined ? null : new Date(auth_time * 1000),
  };
}

const claimNames = z.record(z.string(), z.unknown()).catch({});

/**
 * Returns the values of the groups claim; an empty list if the claim is missing. The result is null if the
 * provider omitted the groups claim because the claim is too large ("overage", OpenID Connect Core 1.0
 * §5.6.2). The result null means that the groups of the user are unknown.
 */
function groupsIn(name: string, given: Readonly<Record<string, unknown>>): Identity["groups"] {
  const value = given[name];
  if (name === "" || (value === undefined && name in claimNames.parse(given["_claim_names"]))) return null;
  const values = typeof value === "string" ? [value] : Array.isArray(value) ? value.slice(0, VALUES_MAX) : [];
  return values.filter((entry): entry is string => typeof entry === "string");
}

const githubUser = z.object({
  id: z.int().positive(),
  login: z.string().min(1).max(255),
  name: optionalText(255),
});
const githubEmails = z.array(
  z.object({ email: z.string().max(254), primary: z.boolean(), verified: z.boolean() }),
);

export const readGithubUser = (json: unknown): z.infer<typeof githubUser> => githubUser.parse(json);
export const readGithubEmails = (json: unknown): z.infer<typeof githubEmails> => githubEmails.parse(json);
