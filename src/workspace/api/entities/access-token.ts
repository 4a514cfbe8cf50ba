import { z } from "zod";
import { ROLES } from "@/access/roles";
import { day, defineEntity, moment } from "@/http-api/entity";
import type { Deps } from "@/kernel/deps/deps";
import { type AccessToken, isActive } from "@/workspace/access-tokens/rules";
import type { CreatedAccessToken } from "@/workspace/access-tokens/service";

const fields = {
  id: z.int(),
  name: z.string(),
  revoked: z.boolean(),
  created_at: moment,
  description: z.string().nullable(),
  scopes: z.array(z.string()),
  user_id: z.int().describe("The id of the bot user that the token authenticates."),
  last_used_at: moment.nullable(),
  active: z.boolean(),
  expires_at: day.nullable(),
  access_level: z.int().nullable().describe("The role of the bot. Null when the bot is no longer a member."),
};

const presented = (token: AccessToken, { clock }: Pick<Deps, "clock">) => ({
  id: token.id,
  name: token.name,
  revoked: token.revokedAt !== null,
  created_at: token.createdAt.toISOString(),
  description: null,
  scopes: [...token.scopes],
  user_id: token.userId,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  active: isActive(token, clock()),
  expires_at: token.expiresAt?.toISOString().slice(0, 10) ?? null,
  access_level: token.role === null ? null : ROLES[token.role].level,
});

/** An access token of a project or a group, without its value. */
export const accessToken = defineEntity("access_token", fields, presented);

/** A new access token with its value, which is shown once. */
export const newAccessToken = defineEntity(
  "new_access_token",
  { ...fields, token: z.string() },
  ({ token, value }: CreatedAccessToken, deps) => ({ ...presented(token, deps), token: value }),
);
