import { z } from "zod";
import { day, defineEntity, moment } from "@/http-api/entity";
import type { Deps } from "@/kernel/deps/deps";
import type { PersonalToken } from "@/oauth/personal-access-tokens/rules";
import type { CreatedPersonalToken } from "@/oauth/personal-access-tokens/service";

/** The fields of personal access tokens. */
export const personalTokenFields = {
  id: z.int(),
  name: z.string(),
  revoked: z.boolean(),
  created_at: moment,
  description: z.string().nullable(),
  scopes: z.array(z.string()),
  user_id: z.int(),
  last_used_at: moment.nullable(),
  active: z
    .boolean()
    .describe(
      "False for a revoked or expired token, and for a bot token or an impersonation token whose creator has lost the right to create the token.",
    ),
  expires_at: day.nullable(),
};

/** Returns a personal access token as the API shows it. */
export const presentedPersonalToken = (token: PersonalToken, { clock }: Pick<Deps, "clock">) => ({
  id: token.id,
  name: token.name,
  revoked: token.revokedAt !== null,
  created_at: token.createdAt.toISOString(),
  description: null,
  scopes: [...token.scopes],
  user_id: token.userId,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  active:
    token.revokedAt === null &&
    token.rightEnded !== true &&
    (token.expiresAt === null || token.expiresAt > clock()),
  expires_at: token.expiresAt?.toISOString().slice(0, 10) ?? null,
});

/** A personal access token without its value. */
export const personalAccessToken = defineEntity(
  "personal_access_token",
  personalTokenFields,
  presentedPersonalToken,
);

/** A new personal access token with its value, which is shown once. */
export const newPersonalAccessToken = defineEntity(
  "new_personal_access_token",
  { ...personalTokenFields, token: z.string() },
  ({ token, value }: CreatedPersonalToken, deps) => ({
    ...presentedPersonalToken(token, deps),
    token: value,
  }),
);
