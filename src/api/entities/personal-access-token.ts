import type { PersonalToken } from "@/features/personal-access-tokens/rules";
import type { Deps } from "@/platform/deps";

/** A personal access token as its owner sees it: never its value. */
export const personalAccessToken = (token: PersonalToken, { clock }: Deps): object => ({
  id: token.id,
  name: token.name,
  revoked: token.revokedAt !== null,
  created_at: token.createdAt.toISOString(),
  description: null,
  scopes: token.scopes,
  user_id: token.userId,
  last_used_at: token.lastUsedAt?.toISOString() ?? null,
  active: token.revokedAt === null && (token.expiresAt === null || token.expiresAt > clock()),
  expires_at: token.expiresAt?.toISOString().slice(0, 10) ?? null,
});
