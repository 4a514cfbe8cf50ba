import type { IssuedTokens } from "@/oauth/tokens/service";

/** The token response (RFC 6749 §5.1) with GitLab's `created_at` in Unix seconds. */
export const tokenResponse = (issued: IssuedTokens): object => ({
  access_token: issued.accessToken,
  token_type: "bearer",
  ...(issued.expiresInSeconds === null ? {} : { expires_in: issued.expiresInSeconds }),
  ...(issued.refreshToken === null ? {} : { refresh_token: issued.refreshToken }),
  scope: issued.scopes.join(" "),
  created_at: Math.floor(issued.createdAt.getTime() / 1000),
});
