import { z } from "zod";
import type { PersonalToken } from "@/features/personal-access-tokens/rules";
import { day, defineEntity, moment } from "../entity";

/** A personal access token as its owner sees it: never its value. */
export const personalAccessToken = defineEntity(
  "personal_access_token",
  {
    id: z.int(),
    name: z.string(),
    revoked: z.boolean(),
    created_at: moment,
    description: z.string().nullable(),
    scopes: z.array(z.string()),
    user_id: z.int(),
    last_used_at: moment.nullable(),
    active: z.boolean(),
    expires_at: day.nullable(),
  },
  (token: PersonalToken, { clock }) => ({
    id: token.id,
    name: token.name,
    revoked: token.revokedAt !== null,
    created_at: token.createdAt.toISOString(),
    description: null,
    scopes: [...token.scopes],
    user_id: token.userId,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    active: token.revokedAt === null && (token.expiresAt === null || token.expiresAt > clock()),
    expires_at: token.expiresAt?.toISOString().slice(0, 10) ?? null,
  }),
);
