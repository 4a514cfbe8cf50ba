import type { Metadata } from "next";
import type { Query } from "@/kernel/paging/keyset";
import { revokeToken, rotateToken } from "@/oauth/personal-access-tokens/actions";
import { TokenList } from "@/oauth/personal-access-tokens/components/token-list";
import { loadPersonalTokens } from "@/oauth/personal-access-tokens/loaders";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";

export const metadata: Metadata = { title: "Access tokens" };

export default async function PersonalAccessTokensPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const { tokens, now, expiry, newer, older } = await loadPersonalTokens(await searchParams);
  return (
    <>
      <PageHead
        title="Access tokens"
        about="Passwords for programs of your own: for the API and for Git over HTTP. Give each program its own."
        action={
          <ButtonLink kind="primary" href="/user_settings/personal_access_tokens/new">
            Create a token
          </ButtonLink>
        }
      />
      {tokens.length === 0 ? (
        <EmptyState title="You have no access tokens">
          Create one for a script or for Git. It can do only what you tick, and you can revoke it by itself.
        </EmptyState>
      ) : (
        <TokenList tokens={tokens} now={now} expiry={expiry} rotate={rotateToken} revoke={revokeToken} />
      )}
      <Pager newer={newer} older={older} />
    </>
  );
}
