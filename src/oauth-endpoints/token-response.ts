import { unixSeconds } from "@/kernel/http/unix-time";
import type { IssuedTokens } from "@/oauth/tokens/service";

/** Returns the token response (RFC 6749 §5.1), with the member `created_at` of GitLab in Unix seconds. */
export const tokenResponse = (issued: IssuedTokens): object => ({
  access_token: issued.accessToken,
  token_type: tokenTypeOf(issued),
  ...(issued.expiresInSeconds === null ? {} : { expires_in: issued.expiresInSeconds }),
  ...(issued.refreshToken === null ? {} : { refresh_token: issued.refreshToken }),
  scope: issued.scopes.join(" "),
  created_at: unixSeconds(issued.createdAt),
});

/** Returns the type of an access token: `DPoP` for a token that is bound to a key (RFC 9449 §5). */
export const tokenTypeOf = ({ dpopJkt }: Pick<IssuedTokens, "dpopJkt">): "bearer" | "DPoP" =>
  dpopJkt === null ? "bearer" : "DPoP";
