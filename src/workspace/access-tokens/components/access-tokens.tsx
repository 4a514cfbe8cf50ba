import { ROLES } from "@/access/roles";
import { TokenList } from "@/oauth/personal-access-tokens/components/token-list";
import { EmptyState } from "@/ui/empty-state";
import { Pager } from "@/ui/pager";
import { revokeAccessToken, rotateAccessToken } from "../actions";
import type { loadAccessTokens } from "../loaders";
import type { AccessToken } from "../rules";

/** Shows the access tokens of a project or a group. */
export function AccessTokens({
  resource,
  tokens,
  now,
  expiry,
  pager,
}: Awaited<ReturnType<typeof loadAccessTokens>>) {
  return (
    <>
      {tokens.length === 0 ? (
        <EmptyState title={`This ${resource.kind} has no access tokens`}>
          Create a token for a script or a pipeline. The token belongs to a bot and works until it expires, or
          until you lose the right to create the token.
        </EmptyState>
      ) : (
        <TokenList
          tokens={tokens.map((token) => ({ ...token, badge: badgeOf(token), note: noteOf(token, now) }))}
          fields={{ kind: resource.kind, place: String(resource.id) }}
          now={now}
          expiry={expiry}
          rotate={rotateAccessToken}
          revoke={revokeAccessToken}
        />
      )}
      <Pager {...pager} />
    </>
  );
}

const badgeOf = ({ role }: AccessToken): string => (role === null ? "No role" : ROLES[role].label);

/** Returns the reason why an access token is invalid although the access token has not expired. */
function noteOf({ role, isRightValid, expiresAt }: AccessToken, now: Date): string | undefined {
  if (isRightValid || (expiresAt !== null && expiresAt <= now)) return undefined;
  if (role === null) return "The bot of this token is no longer a member. Revoke the token.";
  return "The user who created this token has lost the right to create the token. To use the token again, rotate the token.";
}
