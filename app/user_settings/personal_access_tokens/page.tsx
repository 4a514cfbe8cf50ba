import type { Metadata } from "next";
import type { Query } from "@/kernel/http/query";
import { revokeToken, rotateToken } from "@/oauth/personal-access-tokens/actions";
import { TokenList } from "@/oauth/personal-access-tokens/components/token-list";
import { loadPersonalTokens } from "@/oauth/personal-access-tokens/loaders";
import { ButtonLink } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHead } from "@/ui/page-shell";
import { Pager } from "@/ui/pager";

export const metadata: Metadata = { title: "Personal access tokens" };

export default async function PersonalAccessTokensPage({
  searchParams,
}: {
  readonly searchParams: Promise<Query>;
}) {
  const { tokens, now, expiry, previous, next } = await loadPersonalTokens(await searchParams);
  return (
    <>
      <PageHead
        title="Personal access tokens"
        about="Tokens replace your password in programs that use the API or Git over HTTP. Create a separate token for each program."
        action={
          <ButtonLink kind="primary" href="/user_settings/personal_access_tokens/new">
            Create token
          </ButtonLink>
        }
      />
      {tokens.length === 0 ? (
        <EmptyState title="You have no personal access tokens">
          Create a token for a script or for Git. A token has only the scopes that you select, and you can
          revoke it at any time.
        </EmptyState>
      ) : (
        <TokenList tokens={tokens} now={now} expiry={expiry} rotate={rotateToken} revoke={revokeToken} />
      )}
      <Pager previous={previous} next={next} newestFirst />
    </>
  );
}
